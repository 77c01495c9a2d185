import { hourMs } from "../../../core/kernel/durations.ts";
import { lastMailLimits } from "../../../core/lastMails/lastMailEndpoints.ts";
import { type Database, type Db, tryInSavepoint } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";

/** A mail to keep for a day. */
export interface NewLastMail {
  readonly id: string;
  readonly userId: string;
  readonly maskId: string;
  readonly receivedAt: number;
  /** Bytes of the mail as it was received. */
  readonly size: number;
  /** An OpenPGP message to the key of the user. */
  readonly content: Uint8Array;
}

const insertMails: RowStatement = {
  columns: {
    id: "text",
    user_id: "text",
    mask_id: "text",
    received_at: "bigint",
    size: "bigint",
    content: "bytea",
  },
  text: (rows) =>
    `insert into last_mails (id, user_id, mask_id, received_at, size, content)
     select given.id, given.user_id, given.mask_id, given.received_at, given.size, given.content
     from ${rows} join users on users.id = given.user_id and users.keep_last_mails = 1
       join masks on masks.id = given.mask_id and masks.deleted_at is null`,
};

const deleteBeyond = async (
  db: Db,
  column: "mask_id" | "user_id",
  owners: readonly string[],
  limit: number,
): Promise<void> => {
  for (const owner of new Set(owners))
    await db
      .deleteFrom("last_mails")
      .where(column, "=", owner)
      .where("id", "not in", (eb) =>
        eb
          .selectFrom("last_mails")
          .where(column, "=", owner)
          .orderBy("received_at", "desc")
          .orderBy("id", "desc")
          .limit(limit)
          .select("id"),
      )
      .execute();
};

/**
 * Keeps mails in the transaction in which they arrive, in place of the oldest. Mails of users who have switched that off
 * meanwhile are left out; a failure leaves out all and ends nothing else.
 */
export const recordLastMails = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  mails: readonly NewLastMail[],
): Promise<void> => {
  if (mails.length === 0) return;
  await tryInSavepoint(db, async () => {
    await engine.runRows(
      db,
      insertMails,
      mails.map((mail) => [mail.id, mail.userId, mail.maskId, mail.receivedAt, mail.size, mail.content]),
    );
    const { perMask, perAccount } = lastMailLimits;
    await deleteBeyond(
      db,
      "mask_id",
      mails.map(({ maskId }) => maskId),
      perMask,
    );
    await deleteBeyond(
      db,
      "user_id",
      mails.map(({ userId }) => userId),
      perAccount,
    );
  });
};

const keptSince = (now: number): number => now - lastMailLimits.hours * hourMs;

const selectMails = (db: Db, owner: { readonly userId: string; readonly maskId: string }, now: number) =>
  db
    .selectFrom("last_mails")
    .innerJoin("users", "users.id", "last_mails.user_id")
    .where("users.keep_last_mails", "=", 1)
    .where("last_mails.user_id", "=", owner.userId)
    .where("last_mails.mask_id", "=", owner.maskId)
    .where("last_mails.received_at", ">", keptSince(now));

/** Returns what is kept of a user's mask, newest first, without content. */
export const findLastMails = (
  db: Db,
  owner: { readonly userId: string; readonly maskId: string },
  now: number,
) =>
  selectMails(db, owner, now)
    .select(["last_mails.id", "last_mails.received_at as receivedAt", "last_mails.size"])
    .orderBy("last_mails.received_at", "desc")
    .orderBy("last_mails.id", "desc")
    .execute();

/** Returns the encrypted content of a mail; undefined when the user's mask has none with this id. */
export const readLastMail = async (
  db: Db,
  owner: { readonly userId: string; readonly maskId: string; readonly id: string },
  now: number,
): Promise<Uint8Array | undefined> =>
  (
    await selectMails(db, owner, now)
      .where("last_mails.id", "=", owner.id)
      .select("last_mails.content")
      .executeTakeFirst()
  )?.content;

/** Deletes what is kept for a user. */
export const deleteLastMails = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom("last_mails").where("user_id", "=", userId).execute();
};

/** Deletes what is older than a day, and what arrived while its user was switching it off. */
export const pruneLastMails = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("last_mails")
    .where((eb) =>
      eb.or([
        eb("received_at", "<=", keptSince(now)),
        eb("user_id", "in", eb.selectFrom("users").where("keep_last_mails", "=", 0).select("users.id")),
      ]),
    )
    .execute();
};
