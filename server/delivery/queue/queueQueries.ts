import type { Random } from "../../../core/ports/random.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { newQueueId } from "../../platform/store/id.ts";
import { addKept, removeKept } from "./keptBytes.ts";
import { type BodyReference, deleteBodies, isSharedBody } from "./queueBodies.ts";

/** A complete mail to be sent, every line terminated by CRLF (RFC 5322, 2.3). */
export interface NewQueuedMail {
  /** null for system mail such as codes and confirmations. */
  readonly userId: string | null;
  readonly maskId: string | null;
  /** Empty for the null sender (RFC 5321, 4.5.5). */
  readonly envelopeSender: string;
  readonly recipient: string;
  readonly content: Uint8Array;
  /** The entry of the log that its delivery is added to; absent for mail that is not logged. */
  readonly logId?: string | null;
}

/**
 * Queues a mail, due immediately, and returns its id; in a transaction only if that commits. Wake the delivery
 * after the commit.
 */
export const enqueue = async (
  db: Db,
  mail: NewQueuedMail,
  at: { readonly now: number; readonly random: Random },
): Promise<string> => {
  const id = newQueueId(at.random, at.now);
  await db
    .insertInto("queue")
    .values({
      id,
      user_id: mail.userId,
      mask_id: mail.maskId,
      envelope_sender: mail.envelopeSender,
      recipient: mail.recipient,
      content: mail.content,
      size: mail.content.length,
      status: "waiting",
      attempts: 0,
      next_attempt_at: at.now,
      lease: null,
      leased_until: 0,
      last_answer: null,
      log_id: mail.logId ?? null,
      counted: mail.userId === null ? 0 : 1,
      created_at: at.now,
      finished_at: null,
    })
    .execute();
  const { userId, content } = mail;
  if (userId !== null) await addKept(db, [{ userId, network: null, bytes: content.length }]);
  return id;
};

/** A stored copy that only this process may send while it holds the lease. */
export interface QueuedMail extends BodyReference {
  readonly id: string;
  readonly userId: string | null;
  readonly maskId: string | null;
  readonly envelopeSender: string;
  readonly recipient: string;
  /** Bytes. */
  readonly size: number;
  /** Attempts including the current one. */
  readonly attempts: number;
  /** The authenticated sender that a report about a failed delivery may go to; null when there is none. */
  readonly reportTo: string | null;
  /** The entry of the log that its delivery is added to; null for mail that is not logged. */
  readonly logId: string | null;
  /** The network that sent it; null where it is not limited, and for mail of the owner. */
  readonly network: string | null;
  /** True if it counts as kept for its account. */
  readonly isCounted: boolean;
  readonly createdAt: number;
}

const insertCopies: RowStatement = {
  columns: {
    id: "text",
    user_id: "text",
    mask_id: "text",
    envelope_sender: "text",
    recipient: "text",
    body_id: "text",
    body_head: "bigint",
    size: "bigint",
    attempts: "bigint",
    lease: "text",
    report_to: "text",
    log_id: "text",
    network: "text",
    counted: "bigint",
    created_at: "bigint",
  },
  text: (rows) =>
    `insert into queue (id, user_id, mask_id, envelope_sender, recipient, body_id, body_head, size, attempts, lease,
       report_to, log_id, network, counted, created_at, next_attempt_at, status, leased_until)
     select given.id, given.user_id, given.mask_id, given.envelope_sender, given.recipient, given.body_id,
       given.body_head, given.size, given.attempts, given.lease, given.report_to, given.log_id,
       given.network, given.counted, given.created_at, given.created_at, 'waiting', 0
     from ${rows}`,
};

/** Queues copies whose bodies are stored, each leased to this process or (null) free; the caller counts what is to be counted. */
export const insertQueuedMails = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  mails: readonly (QueuedMail & { readonly lease: string | null })[],
): Promise<void> => {
  await engine.runRows(
    db,
    insertCopies,
    mails.map((mail) => [
      mail.id,
      mail.userId,
      mail.maskId,
      mail.envelopeSender,
      mail.recipient,
      mail.bodyId,
      mail.bodyHead,
      mail.size,
      mail.attempts,
      mail.lease,
      mail.reportTo,
      mail.logId,
      mail.network,
      Number(mail.isCounted),
      mail.createdAt,
    ]),
  );
};

/**
 * Leases up to `count` due mails, longest due first. Concurrent processes never lease the same mail, and on PostgreSQL
 * none waits for another: each takes the mails that nobody else is taking.
 */
export const leaseDueMails = async (
  { db, engine }: Pick<Database, "db" | "engine">,
  request: { readonly count: number; readonly lease: string; readonly now: number },
): Promise<readonly QueuedMail[]> => {
  const rows = await db
    .with("due", (qb) =>
      qb
        .selectFrom("queue")
        .where("status", "=", "waiting")
        .where("next_attempt_at", "<=", request.now)
        .where(({ or, eb, selectFrom }) =>
          or([eb("lease", "is", null), eb("lease", "not in", selectFrom("lease_holders").select("id"))]),
        )
        .orderBy("next_attempt_at")
        .limit(request.count)
        .select("id")
        .$if(engine.name === "postgresql", (query) => query.forUpdate().skipLocked()),
    )
    .updateTable("queue")
    .set((eb) => ({ lease: request.lease, attempts: eb("attempts", "+", 1) }))
    .where("id", "in", (eb) => eb.selectFrom("due").select("id"))
    .returning([
      "id",
      "user_id as userId",
      "mask_id as maskId",
      "envelope_sender as envelopeSender",
      "recipient",
      "body_id as bodyId",
      "body_head as bodyHead",
      "size",
      "attempts",
      "report_to as reportTo",
      "log_id as logId",
      "network",
      "counted",
      "created_at as createdAt",
      "next_attempt_at as dueAt",
    ])
    .execute();
  return rows
    .toSorted((a, b) => a.dueAt - b.dueAt)
    .map(({ counted, dueAt: _, ...mail }) => ({ ...mail, isCounted: counted === 1 }));
};

/** Returns unused leases: the mails are due again immediately. */
export const releaseLeases = async (db: Db, lease: string, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await db
    .updateTable("queue")
    .set((eb) => ({ lease: null, attempts: eb("attempts", "-", 1) }))
    .where("id", "in", [...ids])
    .where("lease", "=", lease)
    .where("status", "=", "waiting")
    .execute();
};

/**
 * Prepares a restored queue: all leased mails are due, and those are given up without a bounce whose content the backup
 * does not have, because it was removed while the backup was made.
 */
export const prepareRestoredQueue = async (db: Db, now: number): Promise<void> => {
  await db.updateTable("queue").set({ lease: null }).where("status", "=", "waiting").execute();
  await db
    .updateTable("queue")
    .set({
      status: "failed",
      body_id: null,
      report_to: null,
      network: null,
      counted: 0,
      last_answer: "451 4.3.0 The restored backup does not have the content of this mail",
      finished_at: now,
    })
    .where("status", "in", ["waiting", "held"])
    .where("body_id", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("bodies")
            .select("bodies.id")
            .whereRef("bodies.id", "=", "queue.body_id")
            .where("bodies.part", ">=", 0),
        ),
      ),
    )
    .execute();
};

/** A mail that this process has leased, with the answer to its last attempt. */
export interface AnsweredMail {
  readonly mail: Pick<QueuedMail, "id" | "userId" | "size" | "bodyId" | "bodyHead" | "network" | "isCounted">;
  readonly lease: string;
  readonly answer: string;
}

/** Returns the bytes of mails that count as kept. */
const keptOf = (mails: readonly AnsweredMail["mail"][]) =>
  mails.flatMap(({ userId, network, size }) => (userId === null ? [] : [{ userId, network, bytes: size }]));

/** Counts a mail from now on, because it stays longer than its first attempt lasts. */
export const countAsKept = async (db: Db, { mail }: Pick<AnsweredMail, "mail">): Promise<void> => {
  if (mail.isCounted || mail.userId === null) return;
  await db.updateTable("queue").set({ counted: 1 }).where("id", "=", mail.id).execute();
  await addKept(db, keptOf([mail]));
};

const finishCopies: RowStatement = {
  columns: { id: "text", lease: "text", status: "text", answer: "text", at: "bigint" },
  text: (rows, arrayOf) =>
    `update queue set status = given.status, content = null, body_id = null, lease = null,
       report_to = null, network = null, counted = 0, last_answer = given.answer, finished_at = given.at
     from ${rows} where queue.id = given.id and queue.lease = given.lease and queue.status = 'waiting'
       ${arrayOf("id") === null ? "" : `and queue.id = any(${arrayOf("id")})`}
     returning queue.id as id`,
};

/** The result of finishing mails. */
export interface FinishedMails {
  /** Ids of the mails whose lease this process still held. */
  readonly ids: ReadonlySet<string>;
  /** Ids of bodies that are to be removed outside of the database after the commit. */
  readonly files: readonly string[];
}

/** Marks mails whose lease this process still holds as finished, and deletes their content. */
export const finishMails = async (
  database: Pick<Database, "engine">,
  db: Db,
  status: "delivered" | "failed",
  mails: readonly AnsweredMail[],
  now: number,
): Promise<FinishedMails> => {
  const rows = mails.map(({ mail, lease, answer }) => [mail.id, lease, status, answer, now]);
  const finished = await database.engine.runRows<{ id: string }>(db, finishCopies, rows);
  const ids = new Set(finished.map(({ id }) => id));
  const finishedMails = mails.map(({ mail }) => mail).filter(({ id }) => ids.has(id));
  await removeKept(db, keptOf(finishedMails.filter(({ isCounted }) => isCounted)));
  const bodyIds = (some: typeof finishedMails) => some.flatMap(({ bodyId }) => bodyId ?? []);
  const shared = bodyIds(finishedMails.filter(isSharedBody));
  return { ids, files: await deleteBodies(database, db, bodyIds(finishedMails), shared) };
};

/** Schedules the next attempt; `isAttempt` says whether there was one now. */
export const postponeMail = async (
  db: Db,
  { mail, lease, answer }: AnsweredMail,
  { at, isAttempt }: { readonly at: number; readonly isAttempt: boolean },
): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable("queue")
    .set((eb) => ({
      lease: null,
      next_attempt_at: at,
      ...(answer === "" ? {} : { last_answer: answer }),
      ...(isAttempt ? {} : { attempts: eb("attempts", "-", 1) }),
    }))
    .where("id", "=", mail.id)
    .where("lease", "=", lease)
    .where("status", "=", "waiting")
    .executeTakeFirst();
  if (numUpdatedRows === 1n) await countAsKept(db, { mail });
};

/** Makes mails due that wait longer than any retry delay, because the clock was set back. */
export const expediteMails = async (db: Db, now: number, longestWaitMs: number): Promise<void> => {
  await db
    .updateTable("queue")
    .set({ next_attempt_at: now })
    .where("status", "=", "waiting")
    .where("next_attempt_at", ">", now + longestWaitMs)
    .execute();
};
