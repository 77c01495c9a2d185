import type { Clock } from "../../../../core/ports/clock.ts";
import type { Random } from "../../../../core/ports/random.ts";
import type { SetupOffer, ShownCodes } from "../../../../core/session/twoFactor/twoFactorEndpoints.ts";
import type { Delivery } from "../../../delivery/delivery.ts";
import type { TwoFactorEvent } from "../../../delivery/systemMail/systemMailTexts.ts";
import { fieldError, UseCaseError } from "../../../platform/errors/useCaseError.ts";
import { afterCommit } from "../../../platform/store/afterCommit.ts";
import type { Database, Db, Write } from "../../../platform/store/database.ts";
import { appendEvent } from "../../../platform/store/events.ts";
import type { UserRow } from "../../../platform/store/users.ts";
import { findUser, getLockedUser } from "../../../platform/store/users.ts";
import { twoFactorSetupLifetimeMs } from "../lifetimes.ts";
import { countSecondFactorTry } from "./requiredFactor.ts";
import {
  type ConsumeFactor,
  type ConsumeFactorDeps,
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

export interface UserTwoFactorDeps extends Pick<ConsumeFactorDeps, "hash" | "seal"> {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly delivery: Pick<Delivery, "wake">;
  readonly brand: string;
  readonly consumeFactor: ConsumeFactor;
  readonly countFactorTry: CountFactorTry;
  readonly notifyTwoFactor: NotifyTwoFactor;
}

/** The management of two-factor authentication by a signed-in user. */
export interface UserTwoFactor {
  readonly status: (
    userId: string,
  ) => Promise<{ readonly enabled: boolean; readonly recoveryCodesLeft: number }>;
  /** Creates a secret that is not active yet. Rejects with 409 while two-factor authentication is on. */
  readonly setUp: (tx: Db, userId: string) => Promise<SetupOffer>;
  /** Turns two-factor authentication on with a code of the new secret; returns the recovery codes, shown only once. */
  readonly verify: (tx: Db, userId: string, code: string) => Promise<ShownCodes>;
  /**
   * Counts the try, and prepares to turn two-factor authentication off, given a second factor. Allows five tries in 15
   * minutes.
   */
  readonly disable: (userId: string, code: string) => Promise<Write<void>>;
  /**
   * Counts the try, and prepares to replace the recovery codes, given a second factor. Its tries count together with those
   * of `disable`.
   */
  readonly renewCodes: (userId: string, code: string) => Promise<Write<ShownCodes>>;
}

const alreadyOn = (): UseCaseError =>
  new UseCaseError(
    "conflict",
    "Two-factor authentication is already set up. Switch it off first to use another authenticator.",
  );
const notOn = (): UseCaseError => new UseCaseError("conflict", "Two-factor authentication is not set up.");
const setupExpired = (): UseCaseError =>
  new UseCaseError("conflict", "This setup has expired. Please start again.");
const neededByPasskeys = (): UseCaseError =>
  new UseCaseError(
    "conflict",
    "Your account logs in with passkeys only, and has one: it needs the recovery codes. Add a second passkey first, or let codes by mail log in again.",
  );

export const createUserTwoFactor = (deps: UserTwoFactorDeps): UserTwoFactor => {
  const { database, clock, random, hash, seal, notifyTwoFactor, consumeFactor } = deps;

  const notify = async (db: Db, user: UserRow, news: TwoFactorEvent): Promise<void> => {
    afterCommit(db, deps.delivery.wake);
    await notifyTwoFactor(db, user, news);
    await appendEvent(
      db,
      { userId: user.id, resource: "account", resourceId: null, action: "updated" },
      clock.now(),
    );
  };
  const replaceCodes = async (db: Db, userId: string): Promise<ShownCodes> => {
    const recoveryCodes = [...newRecoveryCodes(random)];
    await replaceRecoveryCodes(
      db,
      userId,
      recoveryCodes.map((code) => hash("recovery", userId, code)),
    );
    return { recoveryCodes };
  };
  const countTry = async (userId: string): Promise<void> => {
    const row = await findTwoFactor(database.db, userId);
    if (!row?.verified_at) throw notOn();
    await countSecondFactorTry(deps, userId);
  };

  return {
    status: async (userId) => {
      const user = await findUser(database.db, userId);
      return {
        enabled: user?.two_factor === 1,
        recoveryCodesLeft: await countRecoveryCodes(database.db, userId),
      };
    },

    setUp: async (tx, userId) => {
      const user = await getLockedUser(tx, userId);
      const secret = encodeSecret(random.bytes(totpSecretBytes));
      const sealed = seal.seal(secret, secretContext(userId));
      if (!(await offerTwoFactorSecret(tx, userId, { secret: sealed, now: clock.now() }))) throw alreadyOn();
      return { secret, uri: setupUri(secret, { issuer: deps.brand, label: user.email }) };
    },

    verify: async (tx, userId, code) => {
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
      const codes = await replaceCodes(tx, userId);
      await notify(tx, user, "enabled");
      return codes;
    },

    disable: async (userId, code) => {
      await countTry(userId);
      return async (tx) => {
        const user = await getLockedUser(tx, userId);
        if (user.passkeys_only === 1 && (await countPasskeys(tx, userId)) < 2) throw neededByPasskeys();
        await consumeFactor(tx, { userId, code, now: clock.now() }, "invalid");
        await removeTwoFactor(tx, userId);
        await notify(tx, user, "disabled");
      };
    },

    renewCodes: async (userId, code) => {
      await countTry(userId);
      return async (tx) => {
        const user = await getLockedUser(tx, userId);
        await consumeFactor(tx, { userId, code, now: clock.now() }, "invalid");
        const codes = await replaceCodes(tx, userId);
        await notify(tx, user, "recovery-codes-renewed");
        return codes;
      };
    },
  };
};
