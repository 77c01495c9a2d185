import type { Clock } from "../../../../core/ports/clock.ts";
import type { Random } from "../../../../core/ports/random.ts";
import type { SetupOffer, ShownCodes } from "../../../../core/session/twoFactor/twoFactorEndpoints.ts";
import type { Delivery } from "../../../delivery/delivery.ts";
import type { TwoFactorEvent } from "../../../delivery/systemMail/systemMailTexts.ts";
import { fieldError, UseCaseError } from "../../../platform/errors/useCaseError.ts";
import type { Database, Db } from "../../../platform/store/database.ts";
import type { EventFeed } from "../../../platform/store/eventFeed.ts";
import { appendEvent } from "../../../platform/store/events.ts";
import type { RecordAnswer } from "../../../platform/store/recordAnswer.ts";
import { findUser, getLockedUser, type UserRow } from "../../../platform/store/users.ts";
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
  readonly feed: Pick<EventFeed, "wake">;
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
  readonly setUp: (userId: string, recordAnswer: RecordAnswer<SetupOffer>) => Promise<SetupOffer>;
  /** Turns two-factor authentication on with a code of the new secret; returns the recovery codes, shown only once. */
  readonly verify: (
    userId: string,
    code: string,
    recordAnswer: RecordAnswer<ShownCodes>,
  ) => Promise<ShownCodes>;
  /** Turns two-factor authentication off, given a second factor. Allows five tries in 15 minutes. */
  readonly disable: (userId: string, code: string, recordAnswer: RecordAnswer<void>) => Promise<void>;
  /** Replaces the recovery codes, given a second factor. Its tries count together with those of `disable`. */
  readonly renewCodes: (
    userId: string,
    code: string,
    recordAnswer: RecordAnswer<ShownCodes>,
  ) => Promise<ShownCodes>;
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

  /** Locks the user during a change, then wakes the change feed and the delivery. */
  const change = async <A>(userId: string, work: (db: Db, user: UserRow) => Promise<A>): Promise<A> => {
    const result = await database.transaction(async (db) => {
      return work(db, await getLockedUser(db, userId));
    });
    deps.feed.wake();
    deps.delivery.wake();
    return result;
  };
  const notify = async (db: Db, user: UserRow, news: TwoFactorEvent): Promise<void> => {
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

    setUp: (userId, recordAnswer) =>
      change(userId, async (db, user) => {
        const secret = encodeSecret(random.bytes(totpSecretBytes));
        const sealed = seal.seal(secret, secretContext(userId));
        if (!(await offerTwoFactorSecret(db, userId, { secret: sealed, now: clock.now() })))
          throw alreadyOn();
        return recordAnswer(db, { secret, uri: setupUri(secret, { issuer: deps.brand, label: user.email }) });
      }),

    verify: (userId, code, recordAnswer) =>
      change(userId, async (db, user) => {
        const now = clock.now();
        const row = await findTwoFactor(db, userId);
        if (row?.verified_at) throw alreadyOn();
        if (!row || row.created_at <= now - twoFactorSetupLifetimeMs) throw setupExpired();
        const step = matchStep(seal.open(row.secret, secretContext(userId)), code, now);
        if (step === null)
          throw fieldError(
            "invalid",
            "code",
            "This code is not right. Enter the newest one, and check that the clock of your device is set automatically.",
          );
        if (!(await activateTwoFactor(db, userId, { secret: row.secret, step, now }))) throw setupExpired();
        const codes = await replaceCodes(db, userId);
        await notify(db, user, "enabled");
        return recordAnswer(db, codes);
      }),

    disable: async (userId, code, recordAnswer) => {
      await countTry(userId);
      await change(userId, async (db, user) => {
        if (user.passkeys_only === 1 && (await countPasskeys(db, userId)) < 2) throw neededByPasskeys();
        await consumeFactor(db, { userId, code, now: clock.now() }, "invalid");
        await removeTwoFactor(db, userId);
        await notify(db, user, "disabled");
        await recordAnswer(db);
      });
    },

    renewCodes: async (userId, code, recordAnswer) => {
      await countTry(userId);
      return change(userId, async (db, user) => {
        await consumeFactor(db, { userId, code, now: clock.now() }, "invalid");
        const codes = await replaceCodes(db, userId);
        await notify(db, user, "recovery-codes-renewed");
        return recordAnswer(db, codes);
      });
    },
  };
};
