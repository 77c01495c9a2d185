import { dayMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { queueSystemMail } from "../../delivery/systemMail/systemMail.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { lockUser } from "../../platform/store/users.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { countCode, delayNextCode, readCodeCount, readWrongCodes, uncountCode } from "./codeCountQueries.ts";
import { triesPerCode, wrongCodeLimits } from "./codeLimits.ts";
import { wrongCodesMail, wrongCodesText } from "./wrongCodesMail.ts";

const firstDelayMs = 30_000;
const maxDelayMs = 15 * minuteMs;

/** So many wrong codes of all accounts in a day are told to the operator, and each further time as many. */
const alarmEvery = 200;

/** The client that tries a code, and the account that the code is for. */
export interface CodeGuess {
  /** The mailbox or the user; separate for sign-in codes and second factors. */
  readonly account: string;
  /** The network or the known browser. */
  readonly client: string;
  /** A known browser is not limited by what others guess. */
  readonly isKnown: boolean;
}

/** The user who is told; undefined when the mailbox has no account. */
interface NotifiedUser {
  readonly id: string;
  readonly email: string;
}

/** The limits of wrong codes, in the store: they hold for all processes and across restarts. */
export interface WrongCodes {
  /** Throws a 429 while no code may be tried. */
  readonly assertMayTry: (guess: CodeGuess) => Promise<void>;
  /** Counts a wrong code, delays the next one, and tells owner and operator when there are many. */
  readonly record: (
    guess: CodeGuess,
    findUser: (db: Db) => Promise<NotifiedUser | undefined>,
  ) => Promise<void>;
  /** Takes back a code that was recorded before it turned out to be right, in the transaction that consumes it. */
  readonly forgive: (db: Db, guess: CodeGuess) => Promise<void>;
}

const tooMany = (waitMs: number): UseCaseError => {
  const minutes = Math.max(1, Math.ceil(waitMs / minuteMs));
  const wait = minutes > 60 ? "tomorrow" : `in ${minutes === 1 ? "1 minute" : `${minutes} minutes`}`;
  return new UseCaseError(
    "too-often",
    `Too many wrong codes. Try again ${wait}, or log in with a browser or from a place you have used before.`,
    { retryAfterS: Math.ceil(waitMs / 1_000) },
  );
};

/** As many wrong codes of a client as one code allows have no delay; each further one doubles it. */
const delayAfter = (count: number): number =>
  count <= triesPerCode
    ? 0
    : Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(20, count - triesPerCode - 1));

export const createWrongCodes = ({
  database,
  hash,
  clock,
  random,
  sender,
  log,
}: Pick<ServerContext, "database" | "hash" | "clock" | "random" | "sender" | "log">): WrongCodes => {
  const keysOf = ({ account, client }: CodeGuess) => ({
    account: hash("wrong-codes", "account", account),
    client: hash("wrong-codes", "client", account, client),
  });
  const allKey = hash("wrong-codes", "all");
  const within = { withinMs: dayMs };

  const tellOwner = async (db: Db, user: NotifiedUser, now: number): Promise<void> => {
    await addNotification(
      db,
      { userId: user.id, type: "security", priority: "high", message: wrongCodesText },
      now,
    );
    await queueSystemMail(db, sender, wrongCodesMail(sender, user.email), { now, random });
  };

  const tellOperator = async (db: Db, all: number, now: number): Promise<void> => {
    if (all % alarmEvery !== 0) return;
    const { accounts } = await readWrongCodes(db, now);
    log.error({ wrongCodes: all, accounts }, "many wrong sign-in codes today: somebody may be guessing");
  };

  return {
    assertMayTry: async (guess) => {
      const now = clock.now();
      const keys = keysOf(guess);
      const client = await readCodeCount(database.db, keys.client, now);
      if (client.count >= wrongCodeLimits.perClient) throw tooMany(dayMs);
      if (client.nextAt > now) throw tooMany(client.nextAt - now);
      if (guess.isKnown) return;
      const { count } = await readCodeCount(database.db, keys.account, now);
      if (count >= wrongCodeLimits.perAccount) throw tooMany(dayMs);
    },

    record: (guess, findUser) =>
      database.transaction(async (db) => {
        const now = clock.now();
        const keys = keysOf(guess);
        // A sign-in locks the user and then the counts; the other order would end in a deadlock. The same is asked of the
        // store without a user, so that the time of the answer does not tell whether there is one.
        const user = await findUser(db);
        await lockUser(db, user?.id ?? "");
        const ofClient = await countCode(db, { key: keys.client, kind: "client", ...within }, now);
        const delay = delayAfter(ofClient);
        if (delay > 0) await delayNextCode(db, keys.client, now + delay);
        const ofAccount = await countCode(db, { key: keys.account, kind: "account", ...within }, now);
        const ofAll = await countCode(db, { key: allKey, kind: "all", ...within }, now);
        await tellOperator(db, ofAll, now);
        if (ofAccount !== wrongCodeLimits.notifiedAfter) return;
        log.warn(`${ofAccount} wrong sign-in codes for one account today: the owner is notified`);
        if (user) await tellOwner(db, user, now);
      }),

    forgive: async (db, guess) => {
      const keys = keysOf(guess);
      for (const key of [keys.client, keys.account, allKey]) await uncountCode(db, key);
      await delayNextCode(db, keys.client, 0);
    },
  };
};
