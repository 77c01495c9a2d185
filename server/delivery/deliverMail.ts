import { firstValueFrom, timer } from "rxjs";
import { nextRetryAt } from "../../core/mail/retrySchedule.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import type { SpoolFolder } from "../spool/spoolFile.ts";
import { storageProblemOf } from "../storage/storageProblem.ts";
import type { Database, Db } from "../store/database.ts";
import type { CommitItems, GroupCommit, Submit } from "../store/groupCommit.ts";
import { findQueuedCopy, type ReadCopy } from "./queueBodies.ts";
import { finishMails, postponeMail, type QueuedMail } from "./queueQueries.ts";
import { toLoggableAnswer } from "./smtpAnswer.ts";
import type { DeliveryOutcome, Transport } from "./transport.ts";

/** Why delivery of a mail is given up: the mail was refused, or 5 days of retries failed. */
export interface Failure {
  readonly reason: "refused" | "expired";
  readonly answer: string;
}

/** Holds a mail for its owner, in the transaction that ends its delivery; false when the lease is lost. */
type Hold = (db: Db, lease: string, now: number) => Promise<boolean>;

/** Prepares what happens with a mail whose delivery is given up; null when nobody needs it any more. */
export type GiveUp = (mail: QueuedMail, read: ReadCopy, failure: Failure) => Promise<Hold | null>;

/** What follows from an attempt. */
type NextStep =
  | { readonly kind: "delivered" }
  | { readonly kind: "postponed"; readonly at: number }
  | { readonly kind: "failed"; readonly hold: Hold | null };

interface DeliveryResult {
  readonly mail: QueuedMail;
  readonly lease: string;
  readonly answer: string;
  readonly next: NextStep;
}

/** State of the mail in the queue after the attempt, and the spool files that are no longer needed. */
interface RecordedResult {
  readonly state: "delivered" | "postponed" | "failed" | "held";
  readonly files: readonly string[];
}

export interface ResultCommitDeps {
  readonly database: Database;
  readonly group: GroupCommit;
  readonly clock: Pick<Clock, "now">;
}

/** Records results of deliveries in a group commit. */
export const createRecordResult = (deps: ResultCommitDeps): Submit<DeliveryResult, RecordedResult> => {
  const { database, clock } = deps;

  const recordOther = async (
    db: Db,
    { mail, lease, answer }: DeliveryResult,
    next: Exclude<NextStep, { readonly kind: "delivered" }>,
  ): Promise<RecordedResult> => {
    if (next.kind === "postponed") {
      await postponeMail(db, { mail, lease, answer }, next.at);
      return { state: "postponed", files: [] };
    }
    if (await next.hold?.(db, lease, clock.now())) return { state: "held", files: [] };
    const { files } = await finishMails(database, db, "failed", [{ mail, lease, answer }], clock.now());
    return { state: "failed", files };
  };

  const commit: CommitItems<DeliveryResult, RecordedResult> = async (db, results) => {
    const { files } = await finishMails(
      database,
      db,
      "delivered",
      results.filter(({ next }) => next.kind === "delivered"),
      clock.now(),
    );
    const recorded: RecordedResult[] = [];
    for (const result of results)
      recorded.push(
        result.next.kind === "delivered"
          ? { state: "delivered", files: files.filter((id) => id === result.mail.bodyId) }
          : await recordOther(db, result, result.next),
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
  readonly giveUp: GiveUp;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onOwnerNotified: () => void;
}

const recordTries = 3;
const recordRetryMs = 1_000;
const longestRecordRetryMs = 30_000;

const resultTexts: Readonly<Record<Exclude<RecordedResult["state"], "delivered">, string>> = {
  postponed: "a mail will be retried",
  failed: "a mail failed",
  held: "a mail could not be delivered and is held",
};

/**
 * Creates the function that delivers one leased mail once and records the result; never rejects. `read` returns
 * its bytes when they are in memory, otherwise they are read from the store.
 */
export const createDeliverMail = (
  deps: MailDelivererDeps,
  lease: string,
): ((mail: QueuedMail, read: ReadCopy | null) => Promise<void>) => {
  const { db, spool, transport, recordResult, giveUp, clock, random, log } = deps;

  const nextStep = async (
    mail: QueuedMail,
    read: ReadCopy,
    { kind, answer }: DeliveryOutcome,
  ): Promise<NextStep> => {
    if (kind === "delivered") return { kind };
    const now = clock.now();
    const at = kind === "temporary" ? nextRetryAt({ ...mail, now, fraction: random.fraction() }) : null;
    if (at !== null) return { kind: "postponed", at };
    const reason = kind === "permanent" ? "refused" : "expired";
    return { kind: "failed", hold: await giveUp(mail, read, { reason, answer }) };
  };

  /**
   * Retries, because a mail that was sent but not recorded would be sent again when its lease ends; without end while
   * the disk is full.
   */
  const recordWithRetries = async (result: DeliveryResult, tries = 1): Promise<RecordedResult> => {
    try {
      return await recordResult(result);
    } catch (error) {
      if (tries >= recordTries && !storageProblemOf(error)) throw error;
      await firstValueFrom(timer(Math.min(recordRetryMs * tries, longestRecordRetryMs), clock.scheduler));
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
    log.warn({ id, size, attempts, answer }, resultTexts[state]);
    if (state === "held") deps.onOwnerNotified();
  };

  return async (mail, read) => {
    try {
      const chunks = read ?? (await findQueuedCopy(db, spool, mail));
      if (!chunks) return;
      const outcome = await transport.send({ ...mail, chunks });
      const next = await nextStep(mail, chunks, outcome);
      const recorded = await recordWithRetries({ mail, lease, answer: outcome.answer, next });
      logResult(mail, recorded, outcome);
      for (const id of recorded.files) await spool.remove(id);
    } catch (error) {
      log.error({ id: mail.id, error: errorTrace(error) }, "recording a delivery result failed");
    }
  };
};
