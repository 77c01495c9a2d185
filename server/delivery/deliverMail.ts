import { firstValueFrom, timer } from "rxjs";
import { hourMs } from "../../core/kernel/durations.ts";
import { delayNoticeAfterMs, giveUpAfterMs, nextRetryAt } from "../../core/mail/retrySchedule.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { errorTrace, type Log } from "../platform/ops/log.ts";
import type { Tracing } from "../platform/ops/tracing.ts";
import { storageProblemOf } from "../platform/storage/storageProblem.ts";
import type { Database, Db } from "../platform/store/database.ts";
import type { CommitItems, GroupCommit, Submit } from "../platform/store/groupCommit.ts";
import { mailIdOf } from "../platform/store/id.ts";
import { type NewLogStep, recordSteps, type StoredDetail } from "./mailLog/logQueries.ts";
import type { PrepareStep } from "./mailLog/sealDetail.ts";
import { isSpooled } from "./outgoingCopy.ts";
import { type BodyStore, BodyUnavailable } from "./queue/bodyStore.ts";
import type { DeliveredLog } from "./queue/deliveredLog.ts";
import { findQueuedCopy, type ReadCopy } from "./queue/queuedContent.ts";
import { finishMails, postponeMail, type QueuedMail } from "./queue/queueQueries.ts";
import { isReceivedMail } from "./serviceAddresses.ts";
import { toLoggableAnswer } from "./smtpAnswer.ts";
import type { DeliveryOutcome, Transport } from "./transport.ts";

/** Content whose failed reads are known, whatever a transport makes of them. */
interface WatchedReads {
  readonly read: ReadCopy;
  /** Returns why the content could not be read; null when all reads have succeeded so far. */
  readonly problem: () => BodyUnavailable | null;
}

const watchReads = (read: ReadCopy): WatchedReads => {
  let problem: BodyUnavailable | null = null;
  const watched = async function* (bytes: Iterable<Buffer> | AsyncIterable<Buffer>) {
    try {
      yield* bytes;
    } catch (error) {
      if (error instanceof BodyUnavailable) problem = error;
      throw error;
    }
  };
  return {
    read: () => {
      const bytes = read();
      return Array.isArray(bytes) || isSpooled(bytes) ? bytes : watched(bytes);
    },
    problem: () => problem,
  };
};

/** The reason for which delivery of a mail is given up: the mail was refused, or 5 days of retries failed. */
export interface Failure {
  readonly reason: "refused" | "expired";
  readonly answer: string;
}

/** Holds a mail for its owner, in the transaction that ends its delivery; false when the lease is lost. */
type Hold = (db: Db, lease: string, now: number) => Promise<boolean>;

/** Prepares what happens with a mail whose delivery is given up; null when nobody needs it any more. */
export type GiveUp = (mail: QueuedMail, read: ReadCopy, failure: Failure) => Promise<Hold | null>;

/** Tells the owner of a mail once, in the transaction that postpones it, that it is late; false when nobody is told. */
type NoticeDelay = (db: Db, now: number) => Promise<boolean>;

/** Prepares what the owner of a late mail is told; null when nobody is. */
export type PrepareDelayNotice = (
  mail: QueuedMail,
  read: ReadCopy,
  answer: string,
) => Promise<NoticeDelay | null>;

/** The consequence of an attempt. */
type NextStep =
  | { readonly kind: "delivered" }
  | {
      readonly kind: "postponed";
      readonly at: number;
      readonly isAttempt: boolean;
      readonly notice: NoticeDelay | null;
    }
  | { readonly kind: "failed"; readonly hold: Hold | null };

interface DeliveryResult {
  readonly mail: QueuedMail;
  readonly lease: string;
  readonly answer: string;
  readonly next: NextStep;
  /** The detail for the owner's log; null for mail that is not logged. */
  readonly logged: StoredDetail | null;
}

/** State of the mail in the queue after the attempt, and the bodies elsewhere that are no longer needed. */
interface RecordedResult {
  readonly state: "delivered" | "postponed" | "failed" | "held";
  readonly files: readonly string[];
  /** True if the owner was notified. */
  readonly isNoticed?: boolean;
}

export interface ResultCommitDeps {
  readonly database: Database;
  readonly group: GroupCommit;
  readonly clock: Pick<Clock, "now">;
}

const logStates: Readonly<Record<RecordedResult["state"], NewLogStep["state"]>> = {
  delivered: "delivered",
  postponed: "deferred",
  failed: "bounced",
  held: "held",
};

/** Returns the steps that the logs of the owners record about results. */
const toSteps = (
  results: readonly DeliveryResult[],
  recorded: readonly RecordedResult[],
): readonly NewLogStep[] =>
  results.flatMap(({ mail: { id, userId, logId }, logged }, n) => {
    const state = recorded[n]?.state;
    if (logged === null || logId === null || userId === null || state === undefined) return [];
    return [{ entryId: logId, userId, copyId: id, state: logStates[state], detail: logged }];
  });

/** Records results of deliveries in a group commit. */
export const createRecordResult = (deps: ResultCommitDeps): Submit<DeliveryResult, RecordedResult> => {
  const { database, clock } = deps;

  const recordOther = async (
    db: Db,
    { mail, lease, answer }: DeliveryResult,
    next: Exclude<NextStep, { readonly kind: "delivered" }>,
  ): Promise<RecordedResult> => {
    if (next.kind === "postponed") {
      await postponeMail(db, { mail, lease, answer }, next);
      const isNoticed = await next.notice?.(db, clock.now());
      return { state: "postponed", files: [], isNoticed: isNoticed ?? false };
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
    await recordSteps(database, db, toSteps(results, recorded), clock.now());
    return recorded;
  };
  return deps.group.kind(commit, { weightOf: () => 1, canWait: true });
};

/** Is called with an attempt's result, and the age of the mail in milliseconds. */
export type OnResult = (state: RecordedResult["state"], ageMs: number) => void;

export interface DeliverDeps {
  /** The lease under which this process has the mail. */
  readonly lease: string;
  readonly db: Db;
  readonly bodies: Pick<BodyStore, "read" | "remove">;
  readonly transport: Transport;
  /** Remembers deliveries until they are recorded; null where that is left to the commit. */
  readonly deliveredLog: Pick<DeliveredLog, "add" | "remove"> | null;
  readonly recordResult: Submit<DeliveryResult, RecordedResult>;
  readonly giveUp: GiveUp;
  readonly prepareDelayNotice: PrepareDelayNotice;
  readonly prepareStep: PrepareStep;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly tracing: Pick<Tracing, "attempt">;
  readonly onOwnerNotified: () => void;
  readonly onResult?: OnResult;
}

const recordTries = 3;
const recordRetryMs = 1_000;
const longestRecordRetryMs = 30_000;
/**
 * The delays, in milliseconds, before another attempt at a mail whose content cannot be read, and at one whose content is
 * damaged.
 */
const unreadRetryMs = 60_000;
const damagedRetryMs = hourMs;

const resultTexts: Readonly<Record<Exclude<RecordedResult["state"], "delivered">, string>> = {
  postponed: "a mail will be retried",
  failed: "a mail failed",
  held: "a mail could not be delivered and is held",
};

/** Returns when the mail is tried again; null when it is given up. */
const retryAt = (
  { random }: Pick<DeliverDeps, "random">,
  mail: QueuedMail,
  outcome: DeliveryOutcome,
  { attemptedAt, now }: { readonly attemptedAt: number; readonly now: number },
): number | null => {
  if (outcome.kind === "permanent") return null;
  if (outcome.kind !== "postponed")
    return nextRetryAt({ ...mail, attemptedAt, now, fraction: random.fraction() });
  const ends = [delayNoticeAfterMs, giveUpAfterMs].map((ms) => mail.createdAt + ms);
  const end = ends.find((moment) => now < moment);
  return end === undefined ? null : Math.min(now + outcome.retryInMs, end);
};

const nextStep = async (
  deps: DeliverDeps,
  mail: QueuedMail,
  read: ReadCopy,
  outcome: DeliveryOutcome,
  attemptedAt: number,
): Promise<NextStep> => {
  const { kind, answer } = outcome;
  if (kind === "delivered") return { kind };
  const now = deps.clock.now();
  const at = retryAt(deps, mail, outcome, { attemptedAt, now });
  if (at !== null) {
    const isLate = now >= mail.createdAt + delayNoticeAfterMs;
    const notice = isLate ? await deps.prepareDelayNotice(mail, read, answer) : null;
    return { kind: "postponed", at, isAttempt: kind !== "postponed", notice };
  }
  const reason = kind === "permanent" ? "refused" : "expired";
  return { kind: "failed", hold: await deps.giveUp(mail, read, { reason, answer }) };
};

/**
 * Retries, because a mail that was sent but not recorded would be sent again when its lease ends; without end while
 * the disk is full.
 */
const recordWithRetries = async (
  deps: DeliverDeps,
  result: DeliveryResult,
  tries = 1,
): Promise<RecordedResult> => {
  try {
    return await deps.recordResult(result);
  } catch (error) {
    if (tries >= recordTries && !storageProblemOf(error)) throw error;
    await firstValueFrom(timer(Math.min(recordRetryMs * tries, longestRecordRetryMs), deps.clock.scheduler));
    return recordWithRetries(deps, result, tries + 1);
  }
};

/** An attempt that was not made, because the servers take no more at the moment, is not logged. */
const prepareLog = async (
  deps: DeliverDeps,
  mail: QueuedMail,
  { kind, answer }: DeliveryOutcome,
): Promise<StoredDetail | null> =>
  mail.logId === null || kind === "postponed"
    ? null
    : deps.prepareStep({ ...mail, isSent: !isReceivedMail(mail) }, answer);

const logResult = (
  deps: DeliverDeps,
  mail: QueuedMail,
  recorded: RecordedResult,
  outcome: DeliveryOutcome,
): void => {
  const { state, isNoticed = false } = recorded;
  const { id, size, attempts } = mail;
  const fields = { mail: mailIdOf(id), id, size, attempts };
  if (state === "held" || isNoticed) deps.onOwnerNotified();
  if (state === "delivered") {
    deps.log.info(fields, "a mail was delivered");
    return;
  }
  if (outcome.kind === "postponed" && state === "postponed") {
    deps.log.debug(fields, "a mail waits for the servers of its recipient");
    return;
  }
  const answer = toLoggableAnswer(outcome.answer);
  deps.log.warn({ ...fields, answer }, resultTexts[state]);
};

const send = async (deps: DeliverDeps, mail: QueuedMail, chunks: ReadCopy): Promise<DeliveryOutcome> => {
  const { id, attempts, size } = mail;
  const span = deps.tracing.attempt(mailIdOf(id));
  const outcome = await deps.transport.send({ ...mail, chunks });
  span.end({ "bauta.outcome": outcome.kind, "bauta.attempts": attempts, "bauta.size": size });
  return outcome;
};

const deliver = async (deps: DeliverDeps, mail: QueuedMail, read: ReadCopy | null): Promise<void> => {
  const { lease, bodies, deliveredLog, clock } = deps;
  const found = read ?? (await findQueuedCopy(deps.db, bodies, mail));
  if (!found) return;
  const content = watchReads(found);
  const attemptedAt = clock.now();
  const outcome = await send(deps, mail, content.read);
  const problem = content.problem();
  if (problem && outcome.kind !== "delivered") throw problem;
  if (outcome.kind === "delivered") deliveredLog?.add(mail.id, outcome.isWrittenDown ?? false);
  const next = await nextStep(deps, mail, content.read, outcome, attemptedAt);
  const logged = await prepareLog(deps, mail, outcome);
  const recorded = await recordWithRetries(deps, { mail, lease, answer: outcome.answer, next, logged });
  deliveredLog?.remove(mail.id);
  if (outcome.kind !== "postponed") deps.onResult?.(recorded.state, clock.now() - mail.createdAt);
  logResult(deps, mail, recorded, outcome);
  await bodies.remove(recorded.files);
};

/** A mail whose content cannot be had waits for it without an end, because its recipient's server has not refused it. */
const postponeUnread = async (
  deps: DeliverDeps,
  mail: QueuedMail,
  { isDamaged, message }: BodyUnavailable,
): Promise<void> => {
  const { lease, clock, log } = deps;
  const at = clock.now() + (isDamaged ? damagedRetryMs : unreadRetryMs);
  const next = { kind: "postponed", at, isAttempt: false, notice: null } as const;
  await recordWithRetries(deps, { mail, lease, answer: `451 4.3.0 ${message}`, next, logged: null });
  const fields = { mail: mailIdOf(mail.id), id: mail.id, problem: message };
  if (isDamaged)
    log.error(fields, "the content of a mail is damaged: it waits for a repair of the object store");
  else log.warn(fields, "a mail waits because its content cannot be read");
};

/**
 * Delivers a leased mail once and records the result; never rejects. `read` returns its bytes when they are in memory,
 * otherwise they are read from the store.
 */
export const deliverMail = async (
  deps: DeliverDeps,
  mail: QueuedMail,
  read: ReadCopy | null,
): Promise<void> => {
  try {
    await deliver(deps, mail, read).catch((error: unknown) => {
      if (!(error instanceof BodyUnavailable)) throw error;
      return postponeUnread(deps, mail, error);
    });
  } catch (error) {
    deps.log.error(
      { mail: mailIdOf(mail.id), id: mail.id, error: errorTrace(error) },
      "recording a delivery result failed",
    );
  }
};
