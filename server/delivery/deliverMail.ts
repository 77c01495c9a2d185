import { firstValueFrom, timer } from "rxjs";
import { nextRetryAt } from "../../core/mail/retrySchedule.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import type { Database, Db } from "../store/database.ts";
import { createGroupCommit, type GroupCommit } from "../store/groupCommit.ts";
import { notifyDeliveryFailure } from "./failureNotice.ts";
import {
  markDelivered,
  markFailed,
  postponeMail,
  type QueuedMail,
  readQueuedContent,
} from "./queueQueries.ts";
import { toLoggableAnswer } from "./smtpAnswer.ts";
import type { DeliveryOutcome, Transport } from "./transport.ts";

/** The outcome of one attempt under a lease. */
interface DeliveryResult {
  readonly mail: QueuedMail;
  readonly lease: string;
  readonly outcome: DeliveryOutcome;
}

/** State of the mail in the queue after the attempt. */
type ResultState = "delivered" | "postponed" | "failed";

const maxResultsPerCommit = 500;

const recordResult = async (
  db: Db,
  { mail, lease, outcome }: DeliveryResult,
  now: number,
  fraction: number,
): Promise<ResultState> => {
  const leased = { id: mail.id, lease };
  const { kind, answer } = outcome;
  if (kind === "delivered") {
    await markDelivered(db, leased, answer, now);
    return "delivered";
  }
  const nextAttemptAt = kind === "temporary" ? nextRetryAt({ ...mail, now, fraction }) : null;
  if (nextAttemptAt !== null) {
    await postponeMail(db, leased, answer, nextAttemptAt);
    return "postponed";
  }
  const reason = kind === "permanent" ? "refused" : "expired";
  if (await markFailed(db, leased, answer, now))
    await notifyDeliveryFailure(db, mail, { reason, answer }, now);
  return "failed";
};

/**
 * Creates the group commit that records delivery results in the queue; results that arrive together share a
 * transaction.
 */
export const createResultCommit = (
  database: Database,
  clock: Clock,
  random: Random,
): GroupCommit<DeliveryResult, ResultState> =>
  createGroupCommit(
    (results: readonly DeliveryResult[]) =>
      database.transaction(async (db) => {
        const states: ResultState[] = [];
        for (const result of results)
          states.push(await recordResult(db, result, clock.now(), random.fraction()));
        return states;
      }),
    { items: maxResultsPerCommit, weight: maxResultsPerCommit, weightOf: () => 1 },
  );

export interface MailDelivererDeps {
  readonly db: Db;
  readonly transport: Transport;
  readonly resultCommit: GroupCommit<DeliveryResult, ResultState>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the owner of a mail was notified. */
  readonly onOwnerNotified: () => void;
}

const recordTries = 3;
const recordRetryMs = 1_000;

/** Creates the function that delivers one leased mail once and records the result. The function never rejects. */
export const createDeliverMail = (
  deps: MailDelivererDeps,
  lease: string,
): ((mail: QueuedMail) => Promise<void>) => {
  const { db, transport, resultCommit, clock, log } = deps;

  /** Retries, because a mail that was sent but not recorded would be sent again when its lease ends. */
  const recordWithRetries = async (result: DeliveryResult, tries = 1): Promise<ResultState> => {
    try {
      return await resultCommit.submit(result);
    } catch (error) {
      if (tries === recordTries) throw error;
      await firstValueFrom(timer(recordRetryMs, clock.scheduler));
      return recordWithRetries(result, tries + 1);
    }
  };

  const logResult = (mail: QueuedMail, state: ResultState, outcome: DeliveryOutcome): void => {
    const { id, size, attempts } = mail;
    const answer = toLoggableAnswer(outcome.answer);
    if (state === "delivered") log.debug({ id, size, attempts }, "a mail was delivered");
    else
      log.warn(
        { id, size, attempts, answer },
        state === "failed" ? "a mail failed" : "a mail will be retried",
      );
    if (state === "failed") deps.onOwnerNotified();
  };

  return async (mail) => {
    try {
      const content = await readQueuedContent(db, mail.id);
      if (!content) return;
      const outcome = await transport.send({ ...mail, content });
      logResult(mail, await recordWithRetries({ mail, lease, outcome }), outcome);
    } catch (error) {
      log.error({ id: mail.id, error: errorTrace(error) }, "recording a delivery result failed");
    }
  };
};
