import type { SetupOffer, ShownCodes } from "../../../../core/session/twoFactor/twoFactorEndpoints.ts";
import type { ServerContext } from "../../../context/serverContext.ts";
import type { TwoFactorEvent } from "../../../delivery/systemMail/systemMailTexts.ts";
import { fieldError, UseCaseError } from "../../../platform/errors/useCaseError.ts";
import { afterCommit } from "../../../platform/store/afterCommit.ts";
import type { Db, Write } from "../../../platform/store/database.ts";
import { appendEvent } from "../../../platform/store/events.ts";
import { findUser, getLockedUser, type UserRow } from "../../../platform/store/users.ts";
import { twoFactorSetupLifetimeMs } from "../lifetimes.ts";
import { countSecondFactorTry } from "./requiredFactor.ts";
import {
  type ConsumeFactor,
  type CountFactorTry,
  encodeSecret,
  matchStep,
  newRecoveryCodes,
  secretContext,
  setupUri,
  totpSecretBytes,
} from "./secondFactor.ts";
import type { NotifyTwoFactor } from "./twoFactorNotice.ts";
import {
  activateTwoFactor,
  countPasskeys,
  countRecoveryCodes,
  findTwoFactor,
  offerTwoFactorSecret,
  removeTwoFactor,
  replaceRecoveryCodes,
} from "./twoFactorQueries.ts";

/** The dependencies of the management of two-factor authentication by a signed-in user. */
export interface TwoFactorContext
  extends Pick<ServerContext, "database" | "clock" | "random" | "hash" | "seal" | "delivery" | "config"> {
  readonly consumeFactor: ConsumeFactor;
  readonly countFactorTry: CountFactorTry;
  readonly notifyTwoFactor: NotifyTwoFactor;
}

const alreadyOn = (): UseCaseError =>
  new UseCaseError(
    "conflict",
    "Two-factor authentication is already set up. Switch it off first to use another authenticator.",
  );
const notOn = (): UseCaseError => new UseCaseError("conflict", "Two-factor authentication is not set up.");
const setupExpired = (): UseCaseError => new UseCaseError("conflict", "This setup has expired. Start again.");
const neededByPasskeys = (): UseCaseError =>
  new UseCaseError(
    "conflict",
    "Your account requires passkeys, and has one: it needs the recovery codes. Add a second passkey first, or allow codes by mail again.",
  );

const notify = async (
  { delivery, notifyTwoFactor, clock }: TwoFactorContext,
  tx: Db,
  user: UserRow,
  news: TwoFactorEvent,
): Promise<void> => {
  afterCommit(tx, delivery.wake);
  await notifyTwoFactor(tx, user, news);
  const event = { userId: user.id, resource: "account", resourceId: null, action: "updated" };
  await appendEvent(tx, event, clock.now());
};

const replaceCodes = async (
  { random, hash }: TwoFactorContext,
  tx: Db,
  userId: string,
): Promise<ShownCodes> => {
  const recoveryCodes = [...newRecoveryCodes(random)];
  const hashes = recoveryCodes.map((code) => hash("recovery", userId, code));
  await replaceRecoveryCodes(tx, userId, hashes);
  return { recoveryCodes };
};

const countTry = async (context: TwoFactorContext, userId: string): Promise<void> => {
  const row = await findTwoFactor(context.database.db, userId);
  if (!row?.verified_at) throw notOn();
  await countSecondFactorTry(context, userId);
};

/** Returns whether two-factor authentication is on, and how many recovery codes are left. */
export const readTwoFactor = async (
  db: Db,
  userId: string,
): Promise<{ readonly enabled: boolean; readonly recoveryCodesLeft: number }> => {
  const user = await findUser(db, userId);
  return { enabled: user?.two_factor === 1, recoveryCodesLeft: await countRecoveryCodes(db, userId) };
};

/** Creates a secret that is not active yet. Rejects with 409 while two-factor authentication is on. */
export const offerTwoFactor = async (
  { clock, random, seal, config }: TwoFactorContext,
  tx: Db,
  userId: string,
): Promise<SetupOffer> => {
  const user = await getLockedUser(tx, userId);
  const secret = encodeSecret(random.bytes(totpSecretBytes));
  const sealed = seal.seal(secret, secretContext(userId));
  if (!(await offerTwoFactorSecret(tx, userId, { secret: sealed, now: clock.now() }))) throw alreadyOn();
  return { secret, uri: setupUri(secret, { issuer: config.brand, label: user.email }) };
};

/** Turns two-factor authentication on with a code of the new secret; returns the recovery codes, shown only once. */
export const enableTwoFactor = async (
  context: TwoFactorContext,
  tx: Db,
  userId: string,
  code: string,
): Promise<ShownCodes> => {
  const { clock, seal } = context;
  const user = await getLockedUser(tx, userId);
  const now = clock.now();
  const row = await findTwoFactor(tx, userId);
  if (row?.verified_at) throw alreadyOn();
  if (!row || row.created_at <= now - twoFactorSetupLifetimeMs) throw setupExpired();
  const step = matchStep(seal.open(row.secret, secretContext(userId)), code, now);
  if (step === null)
    throw fieldError(
      "invalid",
      "code",
      "This code is not right. Enter the newest one, and check that the clock of your device is set automatically.",
    );
  if (!(await activateTwoFactor(tx, userId, { secret: row.secret, step, now }))) throw setupExpired();
  const codes = await replaceCodes(context, tx, userId);
  await notify(context, tx, user, "enabled");
  return codes;
};

/**
 * Counts the try, and prepares to turn two-factor authentication off, given a second factor. Allows five tries in 15 minutes.
 */
export const disableTwoFactor = async (
  context: TwoFactorContext,
  userId: string,
  code: string,
): Promise<Write<void>> => {
  await countTry(context, userId);
  return async (tx) => {
    const user = await getLockedUser(tx, userId);
    if (user.passkeys_only === 1 && (await countPasskeys(tx, userId)) < 2) throw neededByPasskeys();
    await context.consumeFactor(tx, { userId, code, now: context.clock.now() }, "invalid");
    await removeTwoFactor(tx, userId);
    await notify(context, tx, user, "disabled");
  };
};

/**
 * Counts the try, and prepares to replace the recovery codes, given a second factor. Its tries count together with those of
 * `disableTwoFactor`.
 */
export const renewRecoveryCodes = async (
  context: TwoFactorContext,
  userId: string,
  code: string,
): Promise<Write<ShownCodes>> => {
  await countTry(context, userId);
  return async (tx) => {
    const user = await getLockedUser(tx, userId);
    await context.consumeFactor(tx, { userId, code, now: context.clock.now() }, "invalid");
    const codes = await replaceCodes(context, tx, userId);
    await notify(context, tx, user, "recovery-codes-renewed");
    return codes;
  };
};
