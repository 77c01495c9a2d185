import { minuteMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { SetupOffer, ShownCodes } from "../../core/twoFactor/twoFactorEndpoints.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { Keep } from "../http/once.ts";
import { Refusal, refusedField } from "../http/refusal.ts";
import { lockedUser } from "../identity/knownUser.ts";
import type { TwoFactorNews } from "../mailing/twoFactorMail.ts";
import type { Database, Db } from "../store/database.ts";
import { appendEvent, type EventFeed } from "../store/events.ts";
import { countRecoveryCodes, replaceRecoveryCodes } from "../store/recoveryCodes.ts";
import { activate, offerSecret, removeTwoFactor, twoFactorOf } from "../store/twoFactors.ts";
import { type UserRow, userById } from "../store/users.ts";
import type { Notice } from "./notice.ts";
import { newRecoveryCodes } from "./recoveryCodes.ts";
import { countTry } from "./requiredFactor.ts";
import { type FactorParts, secretOf, type TakeFactor } from "./secondFactor.ts";
import { secretBytes, setupUri, stepOf, writeSecret } from "./totp.ts";

/** How long a secret waits for the first code of its authenticator. */
export const setupForMs = 30 * minuteMs;

export interface UserTwoFactorParts extends FactorParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly feed: Pick<EventFeed, "nudge">;
  readonly delivery: Pick<Delivery, "wake">;
  readonly brand: string;
  readonly takeFactor: TakeFactor;
  readonly notice: Notice;
}

/** What a user can do with two-factor authentication of their own. */
export interface UserTwoFactor {
  readonly status: (
    userId: string,
  ) => Promise<{ readonly enabled: boolean; readonly recoveryCodesLeft: number }>;
  /** Offers a new secret, which protects nothing yet. Rejects with 409 while two-factor authentication is on. */
  readonly setUp: (userId: string, keep: Keep<SetupOffer>) => Promise<SetupOffer>;
  /** Turns it on with a code of the offered secret; the recovery codes are told here and never again. */
  readonly verify: (userId: string, code: string, keep: Keep<ShownCodes>) => Promise<ShownCodes>;
  /** Turns it off for a second factor. Five tries in 15 minutes. */
  readonly disable: (userId: string, code: string, keep: Keep<void>) => Promise<void>;
  /** Replaces the recovery codes for a code of the authenticator. Five tries in 15 minutes, counted with `disable`. */
  readonly renewCodes: (userId: string, code: string, keep: Keep<ShownCodes>) => Promise<ShownCodes>;
}

const alreadyOn = (): Refusal =>
  new Refusal(
    409,
    "Two-factor authentication is already set up. Turn it off first to use another authenticator.",
  );
const notOn = (): Refusal => new Refusal(409, "Two-factor authentication is not set up.");
const noOffer = (): Refusal => new Refusal(409, "This setup has expired. Please start again.");
export const makeUserTwoFactor = (parts: UserTwoFactorParts): UserTwoFactor => {
  const { database, clock, random, hash, seal, notice, takeFactor } = parts;

  /** Runs one change of a user's at a time; the pages and the delivery hear of it. */
  const change = async <A>(userId: string, work: (db: Db, user: UserRow) => Promise<A>): Promise<A> => {
    const done = await database.transaction(async (db) => {
      return work(db, await lockedUser(db, userId));
    });
    parts.feed.nudge();
    parts.delivery.wake();
    return done;
  };
  const tell = async (db: Db, user: UserRow, news: TwoFactorNews): Promise<void> => {
    await notice(db, user, news);
    await appendEvent(
      db,
      { userId: user.id, resource: "account", resourceId: null, action: "updated" },
      clock.now(),
    );
  };
  const giveCodes = async (db: Db, userId: string): Promise<ShownCodes> => {
    const recoveryCodes = [...newRecoveryCodes(random)];
    await replaceRecoveryCodes(
      db,
      userId,
      recoveryCodes.map((code) => hash("recovery", userId, code)),
    );
    return { recoveryCodes };
  };
  const count = async (userId: string): Promise<void> => {
    const row = await twoFactorOf(database.db, userId);
    if (!row?.verified_at) throw notOn();
    await countTry(database.db, userId, clock.now());
  };

  return {
    status: async (userId) => {
      const user = await userById(database.db, userId);
      return {
        enabled: user?.two_factor === 1,
        recoveryCodesLeft: await countRecoveryCodes(database.db, userId),
      };
    },

    setUp: (userId, keep) =>
      change(userId, async (db, user) => {
        const secret = writeSecret(random.bytes(secretBytes));
        const sealed = seal.seal(secret, secretOf(userId));
        if (!(await offerSecret(db, userId, { secret: sealed, now: clock.now() }))) throw alreadyOn();
        return keep(db, { secret, uri: setupUri(secret, { issuer: parts.brand, label: user.email }) });
      }),

    verify: (userId, code, keep) =>
      change(userId, async (db, user) => {
        const now = clock.now();
        const row = await twoFactorOf(db, userId);
        if (row?.verified_at) throw alreadyOn();
        if (!row || row.created_at <= now - setupForMs) throw noOffer();
        const step = stepOf(seal.open(row.secret, secretOf(userId)), code, now);
        if (step === null)
          throw refusedField(
            400,
            "code",
            "This code is not right. Enter the newest one, and check that the clock of your device is set automatically.",
          );
        if (!(await activate(db, userId, { secret: row.secret, step, now }))) throw noOffer();
        const codes = await giveCodes(db, userId);
        await tell(db, user, "enabled");
        return keep(db, codes);
      }),

    disable: async (userId, code, keep) => {
      await count(userId);
      await change(userId, async (db, user) => {
        await takeFactor(db, { userId, code, now: clock.now() }, 400);
        await removeTwoFactor(db, userId);
        await tell(db, user, "disabled");
        await keep(db);
      });
    },

    renewCodes: async (userId, code, keep) => {
      await count(userId);
      return change(userId, async (db, user) => {
        await takeFactor(db, { userId, code, now: clock.now() }, 400);
        const codes = await giveCodes(db, userId);
        await tell(db, user, "recovery-codes-renewed");
        return keep(db, codes);
      });
    },
  };
};
