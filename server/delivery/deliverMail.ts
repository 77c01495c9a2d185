import { firstValueFrom, timer } from "rxjs";
import { nextRetryAt } from "../../core/mail/retrySchedule.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import type { SpoolFolder } from "../spool/spoolFile.ts";
import type { Database, Db } from "../store/database.ts";
import type { CommitItems, GroupCommit, Submit } from "../store/groupCommit.ts";
import { notifyDeliveryFailure } from "./failureNotice.ts";
import { findQueuedCopy, type ReadCopy } from "./queueBodies.ts";
import { finishMails, postponeMail, type QueuedMail } from "./queueQueries.ts";
import { toLoggableAnswer } from "./smtpAnswer.ts";
import type { DeliveryOutcome, Transport } from "./transport.ts";

interface DeliveryResult {
  readonly mail: QueuedMail;
  readonly lease: string;
  readonly outcome: DeliveryOutcome;
}

/** State of the mail in the queue after the attempt, and the spool file that is no longer needed. */
interface RecordedResult {
  readonly state: "delivered" | "postponed" | "failed";
  readonly files: readonly string[];
}

export interface ResultCommitDeps {
  readonly database: Database;
  readonly group: GroupCommit;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

/** Records results of deliveries in a group commit. */
export const createRecordResult = (deps: ResultCommitDeps): Submit<DeliveryResult, RecordedResult> => {
  const { database, clock, random } = deps;

  const recordOther = async (db: Db, result: DeliveryResult): Promise<RecordedResult> => {
    const { mail, lease, outcome } = result;
    const { kind, answer } = outcome;
    const now = clock.now();
    const retryAt = kind === "temporary" ? nextRetryAt({ ...mail, now, fraction: random.fraction() }) : null;
    if (retryAt !== null) {
      await postponeMail(db, { mail, lease, answer }, retryAt);
      return { state: "postponed", files: [] };
    }
    const reason = kind === "permanent" ? "refused" : "expired";
    const { ids, files } = await finishMails(database, db, "failed", [{ mail, lease, answer }], now);
    if (ids.has(mail.id)) await notifyDeliveryFailure(db, mail, { reason, answer }, now);
    return { state: "failed", files };
  };

  const commit: CommitItems<DeliveryResult, RecordedResult> = async (db, results) => {
    const delivered = results.filter(({ outcome }) => outcome.kind === "delivered");
    const { files } = await finishMails(
      database,
      db,
      "delivered",
      delivered.map(({ mail, lease, outcome }) => ({ mail, lease, answer: outcome.answer })),
      clock.now(),
    );
    const recorded: RecordedResult[] = [];
    for (const result of results)
      recorded.push(
        result.outcome.kind === "delivered"
          ? { state: "delivered", files: files.filter((id) => id === result.mail.bodyId) }
          : await recordOther(db, result),
      );
    return recorded;
  };
  return deps.group.kind(commit, () => 1);
};

export interface MailDelivererDeps {
  readonly db: Db;
  readonly spool: Pick<SpoolFolder, "read" | "remove">;
  readonly transport: Transport;
  readonly recordResult: Submit<DeliveryResult, RecordedResult>;
  readonly clock: Clock;
  readonly log: Log;
  readonly onOwnerNotified: () => void;
}

const recordTries = 3;
const recordRetryMs = 1_000;

/**
 * Creates the function that delivers one leased mail once and records the result; never rejects. `read` returns
 * its bytes when they are in memory, otherwise they are read from the store.
 */
export const createDeliverMail = (
  deps: MailDelivererDeps,
  lease: string,
): ((mail: QueuedMail, read: ReadCopy | null) => Promise<void>) => {
  const { db, spool, transport, recordResult, clock, log } = deps;

  /** Retries, because a mail that was sent but not recorded would be sent again when its lease ends. */
  const recordWithRetries = async (result: DeliveryResult, tries = 1): Promise<RecordedResult> => {
    try {
      return await recordResult(result);
    } catch (error) {
      if (tries === recordTries) throw error;
      await firstValueFrom(timer(recordRetryMs, clock.scheduler));
      return recordWithRetries(result, tries + 1);
    }
  };

  const logResult = (mail: QueuedMail, { state }: RecordedResult, outcome: DeliveryOutcome): void => {
    const { id, size, attempts } = mail;
    if (state === "delivered") {
      log.debug({ id, size, attempts }, "a mail was delivered");
      return;
    }
    const answer = toLoggableAnswer(outcome.answer);
    log.warn({ id, size, attempts, answer }, state === "failed" ? "a mail failed" : "a mail will be retried");
    if (state === "failed") deps.onOwnerNotified();
  };

  return async (mail, read) => {
    try {
      const chunks = read ?? (await findQueuedCopy(db, spool, mail));
      if (!chunks) return;
      const outcome = await transport.send({ ...mail, chunks });
      const recorded = await recordWithRetries({ mail, lease, outcome });
      logResult(mail, recorded, outcome);
      for (const id of recorded.files) await spool.remove(id);
    } catch (error) {
      log.error({ id: mail.id, error: errorTrace(error) }, "recording a delivery result failed");
    }
  };
};
