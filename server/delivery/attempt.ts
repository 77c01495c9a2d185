import { firstValueFrom, timer } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../log.ts";
import type { Db } from "../store/database.ts";
import type { GroupCommit } from "../store/groupCommit.ts";
import { contentOf, type LeasedMail } from "../store/queueLeases.ts";
import { traceOf } from "../trace.ts";
import { loggedAnswer } from "./answer.ts";
import type { Departure, Outcome } from "./departure.ts";
import type { Settled, Tried } from "./settlement.ts";

export interface AttemptParts {
  readonly db: Db;
  readonly departure: Departure;
  readonly settlement: GroupCommit<Tried, Settled>;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when the owner of a mail was told something. */
  readonly announced: () => void;
}

const settleTries = 3;
const settleAgainAfterMs = 1_000;

/** Makes the sending of one leased mail: once, with its outcome written down. The result never rejects. */
export const makeAttempt = (parts: AttemptParts, lease: string): ((mail: LeasedMail) => Promise<void>) => {
  const { db, departure, settlement, clock, log } = parts;

  /** Insists: a mail that left and is not written down would be sent once more when its lease ends. */
  const settle = async (tried: Tried, tries = 1): Promise<Settled> => {
    try {
      return await settlement.submit(tried);
    } catch (error) {
      if (tries === settleTries) throw error;
      await firstValueFrom(timer(settleAgainAfterMs, clock.scheduler));
      return settle(tried, tries + 1);
    }
  };

  const tell = (mail: LeasedMail, settled: Settled, outcome: Outcome): void => {
    const { id, size, attempts } = mail;
    const answer = loggedAnswer(outcome.answer);
    if (settled === "delivered") log.debug({ id, size, attempts }, "a mail was delivered");
    else
      log.warn(
        { id, size, attempts, answer },
        settled === "failed" ? "a mail failed" : "a mail is tried again later",
      );
    if (settled === "failed") parts.announced();
  };

  return async (mail) => {
    try {
      const content = await contentOf(db, mail.id);
      if (!content) return;
      const outcome = await departure.send({ ...mail, content });
      tell(mail, await settle({ mail, lease, outcome }), outcome);
    } catch (error) {
      log.error({ id: mail.id, error: traceOf(error) }, "the outcome of a mail could not be written down");
    }
  };
};
