import type { Random } from "../../../core/ports/random.ts";
import { recordSteps } from "../../delivery/mailLog/logQueries.ts";
import type { BodyReader } from "../../delivery/queue/bodyStore.ts";
import { addKept, removeKept } from "../../delivery/queue/keptBytes.ts";
import { deleteBodies } from "../../delivery/queue/queueBodies.ts";
import { findQueuedCopy, type ReadCopy } from "../../delivery/queue/queuedContent.ts";
import { type AnsweredMail, countAsKept } from "../../delivery/queue/queueQueries.ts";
import type { MailSummary } from "../../mime/mailSummary.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId, newQueueId } from "../../platform/store/id.ts";
import type { HeldReason } from "./heldTables.ts";

/** A mail to hold; the row of the queue with its id keeps the content. */
export interface NewHeldMail extends MailSummary {
  readonly id: string;
  readonly userId: string;
  readonly maskId: string | null;
  readonly direction: "received" | "sent";
  readonly reason: HeldReason;
  /** The recipients when it is released, where they are not the recipient in the queue alone. */
  readonly recipients?: readonly string[];
}

/** A held mail of a user. */
export interface HeldMailRow extends Omit<NewHeldMail, "recipients"> {
  /** The address that it could not be delivered to. */
  readonly recipient: string;
  /** Bytes. */
  readonly size: number;
  /** The next hop's last response, without addresses; null without one. */
  readonly answer: string | null;
  readonly heldAt: number;
}

const contextOf = (id: string): string => `held mail ${id}`;

const openSummary = (seal: Pick<Seal, "open">, id: string, sealed: string): MailSummary =>
  JSON.parse(seal.open(sealed, contextOf(id))) as MailSummary;

/** Records that the mails of a user that are held have changed. */
const recordHeldChange = (
  db: Db,
  { userId, id }: { readonly userId: string; readonly id: string },
  action: "created" | "deleted",
  now: number,
): Promise<void> => appendEvent(db, { userId, resource: "held", resourceId: id, action }, now);

/** Holds a mail whose lease this process still has; its content stays. False when the lease is lost. */
export const holdQueuedMail = async (db: Db, { mail, lease, answer }: AnsweredMail): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("queue")
    .set({ status: "held", lease: null, report_to: null, last_answer: answer })
    .where("id", "=", mail.id)
    .where("lease", "=", lease)
    .where("status", "=", "waiting")
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  await countAsKept(db, { mail });
  return true;
};

/** Notes that the owner of a waiting mail learns of its delay; false when that has happened before. */
export const markDelayNoticed = async (db: Db, id: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("queue")
    .set({ delay_noticed_at: now })
    .where("id", "=", id)
    .where("status", "=", "waiting")
    .where("delay_noticed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Lists a mail of the queue as held. */
export const insertHeldMail = async (
  db: Db,
  seal: Pick<Seal, "seal">,
  { from, subject, ...mail }: NewHeldMail,
  now: number,
): Promise<void> => {
  await db
    .insertInto("held_mails")
    .values({
      id: mail.id,
      user_id: mail.userId,
      mask_id: mail.maskId,
      direction: mail.direction,
      reason: mail.reason,
      sealed: seal.seal(JSON.stringify({ from, subject } satisfies MailSummary), contextOf(mail.id)),
      recipients: mail.recipients ? JSON.stringify(mail.recipients) : null,
      held_at: now,
      // Its links could not send an unsent reply, and its owner is notified at once.
      noticed_at: mail.reason === "unsent" ? now : null,
    })
    .execute();
  await recordHeldChange(db, mail, "created", now);
};

/** A page of held mails. */
export interface HeldQuery {
  readonly maskId: string | undefined;
  /** Only mails after the one with this id. */
  readonly before: string | undefined;
  /** null for all. */
  readonly limit: number | null;
}

const selectHeld = (db: Db, userId: string) =>
  db
    .selectFrom("held_mails")
    .innerJoin("queue", "queue.id", "held_mails.id")
    .where("held_mails.user_id", "=", userId)
    .where("queue.status", "in", ["held", "unsent"])
    .select([
      "held_mails.id",
      "held_mails.user_id as userId",
      "held_mails.mask_id as maskId",
      "held_mails.direction",
      "held_mails.reason",
      "held_mails.sealed",
      "held_mails.held_at as heldAt",
      "queue.recipient",
      "queue.size",
      "queue.last_answer as answer",
    ]);

type SealedRow = Awaited<ReturnType<ReturnType<typeof selectHeld>["execute"]>>[number];

const openRow = (seal: Pick<Seal, "open">, { sealed, ...row }: SealedRow): HeldMailRow => ({
  ...row,
  ...openSummary(seal, row.id, sealed),
});

/** Returns a page of a user's held mails, newest first. */
export const listHeldMails = async (
  db: Db,
  seal: Pick<Seal, "open">,
  userId: string,
  { maskId, before, limit }: HeldQuery,
): Promise<readonly HeldMailRow[]> => {
  const last = before === undefined ? undefined : await findHeldMail(db, seal, userId, before);
  const rows = await selectHeld(db, userId)
    .$if(maskId !== undefined, (all) => all.where("held_mails.mask_id", "=", maskId ?? ""))
    .$if(last !== undefined, (all) =>
      all.where(({ eb, or, and }) =>
        or([
          eb("held_mails.held_at", "<", last?.heldAt ?? 0),
          and([eb("held_mails.held_at", "=", last?.heldAt ?? 0), eb("held_mails.id", "<", last?.id ?? "")]),
        ]),
      ),
    )
    .orderBy("held_mails.held_at", "desc")
    .orderBy("held_mails.id", "desc")
    .$if(limit !== null, (all) => all.limit(limit ?? 0))
    .execute();
  return rows.map((row) => openRow(seal, row));
};

/** Counts the held mails of a user. */
export const countHeldMails = async (db: Db, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom("held_mails")
    .where("user_id", "=", userId)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Returns the held mail of each of a user's entries of the log that has one alone, by the id of the entry. */
export const findHeldOfEntries = async (
  db: Db,
  userId: string,
  entryIds: readonly string[],
): Promise<ReadonlyMap<string | null, string>> => {
  const rows = await db
    .selectFrom("held_mails")
    .innerJoin("queue", "queue.id", "held_mails.id")
    .where("held_mails.user_id", "=", userId)
    .where("queue.log_id", "in", entryIds)
    .groupBy("queue.log_id")
    .having(({ fn }) => fn.countAll(), "=", 1)
    .select(({ fn }) => [fn.min("held_mails.id").as("heldId"), "queue.log_id as entryId"])
    .execute();
  return new Map(rows.map(({ entryId, heldId }) => [entryId, heldId]));
};

/** Returns a held mail of a user; undefined when the user has none with this id. */
export const findHeldMail = async (
  db: Db,
  seal: Pick<Seal, "open">,
  userId: string,
  id: string,
): Promise<HeldMailRow | undefined> => {
  const row = await selectHeld(db, userId).where("held_mails.id", "=", id).executeTakeFirst();
  return row && openRow(seal, row);
};

/** The content of a held mail, and its size in bytes. */
export interface HeldCopy {
  readonly size: number;
  readonly read: ReadCopy;
}

/** Finds the content of a held mail of a user; null when the user has none with this id. */
export const findHeldCopy = async (
  db: Db,
  bodies: BodyReader,
  { userId, id }: HeldMailKey,
): Promise<HeldCopy | null> => {
  const row = await db
    .selectFrom("held_mails")
    .innerJoin("queue", "queue.id", "held_mails.id")
    .where("held_mails.user_id", "=", userId)
    .where("held_mails.id", "=", id)
    .where("queue.status", "=", "held")
    .select(["queue.id", "queue.size", "queue.body_id as bodyId", "queue.body_head as bodyHead"])
    .executeTakeFirst();
  const read = row && (await findQueuedCopy(db, bodies, row));
  return row && read ? { size: row.size, read } : null;
};

/** Returns the owner of a held mail; undefined when none is held under this id. */
export const findHeldOwner = async (db: Db, id: string): Promise<string | undefined> =>
  isId(id)
    ? (await db.selectFrom("held_mails").where("id", "=", id).select("user_id").executeTakeFirst())?.user_id
    : undefined;

/** Returns the address of a mail's mask; undefined for a mail of several masks or of a deleted one. */
export const maskAddressOf = async (db: Db, maskId: string | null): Promise<string | undefined> =>
  maskId === null
    ? undefined
    : (await db.selectFrom("masks").where("id", "=", maskId).select("email").executeTakeFirst())?.email;

/** The id of a held mail, and its owner. */
export interface HeldMailKey {
  readonly userId: string;
  readonly id: string;
}

/** Removes a mail from the list of held mails; undefined when the user has none with this id. */
const unlist = async (db: Db, { userId, id }: HeldMailKey, now: number) => {
  const row = await db
    .deleteFrom("held_mails")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .returning(["mask_id as maskId", "recipients"])
    .executeTakeFirst();
  if (!row) return undefined;
  await db
    .updateTable("notifications")
    .set({ held_id: null })
    .where("user_id", "=", userId)
    .where("held_id", "=", id)
    .execute();
  await recordHeldChange(db, { userId, id }, "deleted", now);
  return row;
};

/** Adds the decision about a held mail to the log of its owner, where it is logged. */
const logDecision = async (
  database: Pick<Database, "engine">,
  db: Db,
  { userId, id }: HeldMailKey,
  state: "released" | "deleted",
  now: number,
): Promise<void> => {
  const row = await db.selectFrom("queue").where("id", "=", id).select("log_id").executeTakeFirst();
  if (row?.log_id)
    await recordSteps(database, db, [{ entryId: row.log_id, userId, copyId: id, state, detail: null }], now);
};

/** Queues the content of a queued mail for more recipients. */
const queueForOthers = async (
  db: Db,
  id: string,
  recipients: readonly string[],
  { now, random }: { readonly now: number; readonly random: Random },
): Promise<void> => {
  if (recipients.length === 0) return;
  const first = await db.selectFrom("queue").where("id", "=", id).selectAll().executeTakeFirstOrThrow();
  const rows = recipients.map((recipient) => ({ ...first, id: newQueueId(random, now), recipient }));
  await db.insertInto("queue").values(rows).execute();
  const { user_id: userId, network, size: bytes } = first;
  if (userId !== null)
    await addKept(
      db,
      rows.map(() => ({ userId, network, bytes })),
    );
};

/**
 * Queues a held mail again as if it had just arrived, for its recipients or the given one. Returns its mask;
 * undefined when the user has none with this id. An unsent reply must not be queued: its status keeps it from that.
 */
export const releaseHeldMail = async (
  database: Pick<Database, "engine">,
  db: Db,
  mail: HeldMailKey & { readonly recipient?: string | undefined },
  at: { readonly now: number; readonly random: Random },
): Promise<{ readonly maskId: string | null } | undefined> => {
  const row = await unlist(db, mail, at.now);
  if (!row) return undefined;
  await logDecision(database, db, mail, "released", at.now);
  const listed = JSON.parse(row.recipients ?? "[]") as readonly string[];
  const [recipient, ...others] = mail.recipient === undefined ? listed : [mail.recipient];
  await db
    .updateTable("queue")
    .set({
      status: "waiting",
      attempts: 0,
      next_attempt_at: at.now,
      created_at: at.now,
      last_answer: null,
      delay_noticed_at: null,
      lease: null,
      ...(recipient === undefined ? {} : { recipient }),
    })
    .where("id", "=", mail.id)
    .where("status", "=", "held")
    .execute();
  await queueForOthers(db, mail.id, others, at);
  return row;
};

/** Deletes a held mail with its content. Returns its mask; undefined when the user has none with this id. */
export const deleteHeldMail = async (
  database: Pick<Database, "engine">,
  db: Db,
  mail: HeldMailKey,
  now: number,
): Promise<{ readonly maskId: string | null } | undefined> => {
  const listed = await unlist(db, mail, now);
  if (!listed) return undefined;
  await logDecision(database, db, mail, "deleted", now);
  const row = await db
    .deleteFrom("queue")
    .where("id", "=", mail.id)
    .where("status", "in", ["held", "unsent"])
    .returning(["body_id", "network", "counted", "size"])
    .executeTakeFirst();
  if (row?.counted === 1)
    await removeKept(db, [{ userId: mail.userId, network: row.network, bytes: row.size }]);
  // A sweep removes a spool file within seconds; without its row nobody can read it.
  if (row?.body_id) await deleteBodies(database, db, [row.body_id]);
  return listed;
};

/** Returns the mails that have been held since before a moment. */
export const listOverdueMails = (db: Db, before: number): Promise<readonly HeldMailKey[]> =>
  db
    .selectFrom("held_mails")
    .where("held_at", "<", before)
    .orderBy("user_id")
    .select(["id", "user_id as userId"])
    .execute();
