import type { Selectable } from "kysely";
import { codeLimits } from "../../../core/codes/codeEndpoints.ts";
import { minuteMs } from "../../../core/kernel/durations.ts";
import { type Database, type Db, tryInSavepoint } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { appendEvent, appendEvents, type NewEvent } from "../../platform/store/events.ts";
import type { MailCodesTable } from "./mailCodeTables.ts";

/** The resource of the events about codes. */
export const codesResource = "codes";

/** A code and its mask. */
export interface CodeOfMask {
  readonly id: string;
  readonly maskId: string;
}

/** Names a code in an event, with its mask, which tells who may know of it when the code itself is deleted. */
const toResourceId = ({ id, maskId }: CodeOfMask): string => `${maskId} ${id}`;

/** Returns what an event is about; undefined for an event that names no code. */
export const codeOfEvent = (resourceId: string | null): CodeOfMask | undefined => {
  const [maskId, id] = resourceId?.split(" ") ?? [];
  return maskId === undefined || id === undefined ? undefined : { id, maskId };
};

const codeEvent = (userId: string, code: CodeOfMask, action: "created" | "deleted"): NewEvent => ({
  userId,
  resource: codesResource,
  resourceId: toResourceId(code),
  action,
});

const deletedColumns = ["id", "user_id as userId", "mask_id as maskId"] as const;

const eventsOfDeleted = (
  deleted: readonly (CodeOfMask & { readonly userId: string })[],
): readonly NewEvent[] => deleted.map((code) => codeEvent(code.userId, code, "deleted"));

/** A code to keep. */
export interface NewCode {
  readonly id: string;
  readonly userId: string;
  readonly maskId: string;
  readonly receivedAt: number;
  readonly content: string;
  readonly isToKey: boolean;
}

/** A stored code, with the API token that created its mask. */
export type CodeRow = Selectable<MailCodesTable> & { readonly made_by_token: string | null };

const insertCodes: RowStatement = {
  columns: {
    id: "text",
    user_id: "text",
    mask_id: "text",
    received_at: "bigint",
    expires_at: "bigint",
    content: "text",
    to_key: "bigint",
  },
  text: (rows) =>
    `insert into mail_codes (id, user_id, mask_id, received_at, expires_at, content, to_key)
     select given.id, given.user_id, given.mask_id, given.received_at, given.expires_at, given.content, given.to_key
     from ${rows} join users on users.id = given.user_id
       join masks on masks.id = given.mask_id and masks.deleted_at is null
     where users.show_codes = 1 or masks.show_codes = 1`,
};

/** Deletes the oldest codes of each owner beyond a limit, and returns the events that say so. */
const deleteBeyond = async (
  db: Db,
  column: "mask_id" | "user_id",
  owners: readonly string[],
  limit: number,
): Promise<readonly NewEvent[]> => {
  const events: NewEvent[] = [];
  for (const owner of new Set(owners)) {
    const deleted = await db
      .deleteFrom("mail_codes")
      .where(column, "=", owner)
      .where("id", "not in", (eb) =>
        eb
          .selectFrom("mail_codes")
          .where(column, "=", owner)
          .orderBy("received_at", "desc")
          .orderBy("id", "desc")
          .limit(limit)
          .select("id"),
      )
      .returning(deletedColumns)
      .execute();
    events.push(...eventsOfDeleted(deleted));
  }
  return events;
};

/**
 * Keeps codes in the transaction in which their mails arrive, in place of the oldest, and announces them. Those of owners who have
 * switched that off meanwhile are left out; a failure leaves out all and ends nothing else.
 */
export const recordCodes = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  codes: readonly NewCode[],
  now: number,
): Promise<void> => {
  if (codes.length === 0) return;
  await tryInSavepoint(db, async () => {
    await engine.runRows(
      db,
      insertCodes,
      codes.map((code) => [
        code.id,
        code.userId,
        code.maskId,
        code.receivedAt,
        code.receivedAt + codeLimits.minutes * minuteMs,
        code.content,
        code.isToKey ? 1 : 0,
      ]),
    );
    const beyondMasks = await deleteBeyond(
      db,
      "mask_id",
      codes.map(({ maskId }) => maskId),
      codeLimits.perMask,
    );
    const beyondAccounts = await deleteBeyond(
      db,
      "user_id",
      codes.map(({ userId }) => userId),
      codeLimits.perAccount,
    );
    const created = codes.map((code) => codeEvent(code.userId, code, "created"));
    const events = [...created, ...beyondMasks, ...beyondAccounts];
    await appendEvents({ engine }, db, events, now);
  });
};

/** The codes that a caller may read. */
export interface ReadableCodes {
  readonly userId: string;
  /** The only mask; absent for all. */
  readonly maskId?: string;
  /** The API token that has created the masks; absent where that does not matter. */
  readonly madeBy?: string;
}

const selectCodes = (db: Db, { userId, maskId, madeBy }: ReadableCodes, now: number) =>
  db
    .selectFrom("mail_codes")
    .innerJoin("masks", "masks.id", "mail_codes.mask_id")
    .where("mail_codes.user_id", "=", userId)
    .where("mail_codes.expires_at", ">", now)
    .$if(maskId !== undefined, (query) => query.where("mail_codes.mask_id", "=", maskId ?? ""))
    .$if(madeBy !== undefined, (query) => query.where("masks.made_by_token", "=", madeBy ?? ""))
    .selectAll("mail_codes")
    .select("masks.made_by_token");

/** Returns codes of a user that have not expired, newest first. */
export const findCodes = (db: Db, readable: ReadableCodes, now: number): Promise<readonly CodeRow[]> =>
  selectCodes(db, readable, now)
    .orderBy("mail_codes.received_at", "desc")
    .orderBy("mail_codes.id", "desc")
    .execute();

/** Returns one of a user's codes; undefined when it was used, has expired or never was. */
export const findStoredCode = (
  db: Db,
  { id, userId }: { readonly id: string; readonly userId: string },
  now: number,
): Promise<CodeRow | undefined> =>
  selectCodes(db, { userId }, now).where("mail_codes.id", "=", id).executeTakeFirst();

/** Returns the id of the API token that has created a user's mask; null for none. */
export const findMaker = async (
  db: Db,
  { userId, maskId }: { readonly userId: string; readonly maskId: string },
): Promise<string | null> =>
  (
    await db
      .selectFrom("masks")
      .where("id", "=", maskId)
      .where("user_id", "=", userId)
      .select("made_by_token")
      .executeTakeFirst()
  )?.made_by_token ?? null;

/** Deletes a code of a user's mask and announces that; false when there is none. */
export const deleteUsedCode = async (
  db: Db,
  { id, userId, maskId }: { readonly id: string; readonly userId: string; readonly maskId: string },
  now: number,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("mail_codes")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("mask_id", "=", maskId)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await appendEvent(db, codeEvent(userId, { id, maskId }, "deleted"), now);
  return true;
};

/** Deletes a user's codes that neither the account nor their mask shows any more, and announces that. */
export const deleteHiddenCodes = async (db: Db, userId: string, now: number): Promise<void> => {
  const deleted = await db
    .deleteFrom("mail_codes")
    .where("user_id", "=", userId)
    .where("user_id", "in", (eb) => eb.selectFrom("users").where("show_codes", "=", 0).select("id"))
    .where("mask_id", "in", (eb) =>
      eb.selectFrom("masks").where("user_id", "=", userId).where("show_codes", "=", 0).select("id"),
    )
    .returning(deletedColumns)
    .execute();
  for (const event of eventsOfDeleted(deleted)) await appendEvent(db, event, now);
};

/** Deletes the codes of masks that are deleted themselves, which is announced. */
export const deleteCodesOf = async (db: Db, maskIds: readonly string[]): Promise<void> => {
  await db
    .deleteFrom("mail_codes")
    .where("mask_id", "in", [...maskIds])
    .execute();
};

/** Deletes what has expired. */
export const pruneCodes = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("mail_codes").where("expires_at", "<=", now).execute();
};
