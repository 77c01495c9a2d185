import { type Expression, type Insertable, type Selectable, sql } from "kysely";
import type { MailboxKey } from "../../../core/mail/emailAddress.ts";
import type { RuleStatistics } from "../../../core/masks/mailStatistics.ts";
import { type Mask, placeFields } from "../../../core/masks/mask.ts";
import type { MaskStatistics } from "../../../core/masks/maskStatistics.ts";
import { isSharedDomain } from "../../platform/dns/registrableDomain.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { isId } from "../../platform/store/id.ts";
import { deleteCodesOf } from "../codes/codeQueries.ts";
import { maskNotFound, timeOfEdit } from "../maskChanges/maskChanges.ts";
import { versionOfRules } from "../rules/ruleVersions.ts";
import type { SenderLists } from "../senders/senderLists.ts";
import { readColumns } from "./maskColumns.ts";
import { toExpiry } from "./maskExpiry.ts";
import type { MaskAddressesTable, MasksTable } from "./maskTables.ts";

/** Joins the rows of another table only where there are any, which few masks have: joining no rows takes as long. */
const whereAny = (isAny: Expression<unknown>, joined: Expression<{ list: string | null }>) =>
  sql<string | null>`case when ${isAny} then ${joined} end`;

/** Selects the user's masks, deleted ones too. */
export const selectAnyMasks = (db: Db, userId: string) =>
  db
    .selectFrom("masks")
    .innerJoin("destinations", "destinations.id", "masks.destination_id")
    .innerJoin("mask_statistics", "mask_statistics.mask_id", "masks.id")
    .selectAll("masks")
    .select([
      "destinations.email as forward_to",
      "destinations.confirmed_at",
      "mask_statistics.total_received",
      "mask_statistics.total_forwarded",
      "mask_statistics.spam_blocked",
      "mask_statistics.total_sent",
      "mask_statistics.last_used_at",
      "mask_statistics.month",
      "mask_statistics.month_received",
      "mask_statistics.details",
    ])
    .select((e) => {
      const further = e
        .selectFrom("mask_destinations")
        .whereRef("mask_destinations.mask_id", "=", "masks.id");
      const marked = sql`case when further.confirmed_at is null then ',' else '' end || further.email`;
      const addresses = further
        .innerJoin("destinations as further", "further.id", "mask_destinations.destination_id")
        .select(sql<string | null>`string_agg(${marked}, ' ' order by position)`.as("list"));
      return whereAny(e.exists(further.select("position")), addresses).as("further");
    })
    .select((e) => {
      const senders = e.selectFrom("mask_senders").whereRef("mask_senders.mask_id", "=", "masks.id");
      const lists = senders.select(
        sql<string | null>`string_agg(list || ' ' || sealed, ',' order by created_at)`.as("list"),
      );
      return whereAny(e.exists(senders.select("list")), lists).as("senders");
    })
    .where("masks.user_id", "=", userId);

/** Selects the user's masks. */
const selectFullMasks = (db: Db, userId: string) =>
  selectAnyMasks(db, userId).where("masks.deleted_at", "is", null);

/** A mask with its destination and statistics. */
export type FullMask = Awaited<ReturnType<typeof findMasks>>[number];

/** Returns the user's masks, newest first. */
export const findMasks = (db: Db, userId: string) =>
  selectFullMasks(db, userId).orderBy("masks.created_at", "desc").orderBy("masks.id", "desc").execute();

/** A part of the user's masks, newest first: at most `limit` of those that are older than `after`. */
export interface MaskPage {
  readonly after: Pick<FullMask, "id" | "created_at"> | null;
  readonly limit: number;
}

/** Returns a part of the user's masks. */
export type FindMaskPage = (userId: string, page: MaskPage) => Promise<readonly FullMask[]>;

/** Creates the query of parts of a list, whose text is built once: building it takes longer than a part of 50 masks. */
export const createFindMaskPage = ({ db, engine }: Database): FindMaskPage => {
  const textOf = (isFirst: boolean): string =>
    selectFullMasks(db, "")
      .$if(!isFirst, (query) =>
        query.where((e) => e(e.refTuple("masks.created_at", "masks.id"), "<", e.tuple(0, ""))),
      )
      .orderBy("masks.created_at", "desc")
      .orderBy("masks.id", "desc")
      .limit(0)
      .compile().sql;
  const first = textOf(true);
  const following = textOf(false);
  return (userId, { after, limit }) =>
    after === null
      ? engine.read<FullMask>(first, [userId, limit])
      : engine.read<FullMask>(following, [userId, after.created_at, after.id, limit]);
};

/** Creates the query of one of the user's masks, whose text is built once. */
export const createFindListedMask = ({ db, engine }: Database) => {
  const text = selectFullMasks(db, "").where("masks.id", "=", "").compile().sql;
  return async (userId: string, id: string): Promise<FullMask | undefined> =>
    (await engine.read<FullMask>(text, [userId, id]))[0];
};

/** Returns one of the user's masks; undefined when it does not exist or belongs to another user. */
export const findMask = (db: Db, userId: string, id: string): Promise<FullMask | undefined> =>
  selectFullMasks(db, userId).where("masks.id", "=", id).executeTakeFirst();

/** Returns one of the user's masks; throws when it does not exist or belongs to another user. */
export const getMask = async (db: Db, userId: string, id: string): Promise<FullMask> => {
  const mask = isId(id) ? await findMask(db, userId, id) : undefined;
  if (!mask) throw maskNotFound();
  return mask;
};

/** Returns how many of the user's masks are active. */
export const countActiveMasks = async (db: Db, userId: string): Promise<number> => {
  const { active } = await db
    .selectFrom("masks")
    .select((e) => e.fn.countAll<number>().as("active"))
    .where("user_id", "=", userId)
    .where("active", "=", 1)
    .executeTakeFirstOrThrow();
  return Number(active);
};

/** Reserves an address forever; false when it was assigned before, to any user. */
export const claimAddress = async (db: Db, emailKey: MailboxKey, now: number): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("mask_addresses")
    .values({ email_key: emailKey, mask_id: null, created_at: now })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/** Assigns a reserved address to a mask. */
export const linkAddress = async (db: Db, emailKey: MailboxKey, maskId: string): Promise<void> => {
  await db.updateTable("mask_addresses").set({ mask_id: maskId }).where("email_key", "=", emailKey).execute();
};

/** Returns every address of a mask, oldest first. */
export const findMaskAddresses = (db: Db, maskId: string): Promise<Selectable<MaskAddressesTable>[]> =>
  db
    .selectFrom("mask_addresses")
    .selectAll()
    .where("mask_id", "=", maskId)
    .orderBy("created_at")
    .orderBy("email_key")
    .execute();

/** Inserts a mask and its empty statistics. */
export const insertMask = async (db: Db, mask: Insertable<MasksTable>): Promise<void> => {
  await db.insertInto("masks").values(mask).execute();
  await db
    .insertInto("mask_statistics")
    .values({
      mask_id: mask.id,
      user_id: mask.user_id,
      total_received: 0,
      total_forwarded: 0,
      spam_blocked: 0,
      total_sent: 0,
      last_used_at: null,
    })
    .execute();
};

/** Deletes what is kept of the recent mail of masks: to test their rules, and its codes. */
export const deleteRecentMailOf = async (db: Db, maskIds: readonly string[]): Promise<void> => {
  if (maskIds.length === 0) return;
  await db
    .deleteFrom("last_mails")
    .where("mask_id", "in", [...maskIds])
    .execute();
  await deleteCodesOf(db, maskIds);
};

/** Switches off one of the user's masks and marks it as deleted; false without one. Its addresses stay reserved, the mail kept to test its rules and its codes are deleted. */
export const deleteMaskRow = async (db: Db, userId: string, id: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("masks")
    .set((e) => ({ deleted_at: now, deleted_active: e.ref("active"), active: 0, paused: 0 }))
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await deleteRecentMailOf(db, [id]);
  return true;
};

/** Restores one of the user's masks that was deleted at `since` or later; false when there is none. */
export const restoreMaskRow = async (
  db: Db,
  userId: string,
  id: string,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("masks")
    .set((e) => ({ active: e.ref("deleted_active"), deleted_at: null, updated_at: timeOfEdit(now) }))
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("deleted_at", ">=", since)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Changes the destination of the user's masks that forward to the mailbox `from`; false when there are none. */
export const redirectMasks = async (
  db: Db,
  userId: string,
  { from, to }: { readonly from: MailboxKey; readonly to: string },
  now: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("masks")
    .set({ destination_id: to, updated_at: timeOfEdit(now) })
    .where("user_id", "=", userId)
    .where("destination_id", "in", ({ selectFrom }) =>
      selectFrom("destinations").select("id").where("user_id", "=", userId).where("email_key", "=", from),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Parses stored JSON, which is empty in most masks. */
const parse = (stored: string): unknown => {
  if (stored === "[]") return [];
  return stored === "{}" ? {} : JSON.parse(stored);
};

/** Returns the further destinations of a mask, those that are not confirmed apart too; a comma marks them in the row. */
const readFurther = (list: string | null) => {
  const marked = list?.split(" ") ?? [];
  const awaiting = marked.filter((one) => one.startsWith(",")).map((one) => one.slice(1));
  return { further: marked.map((one) => one.replace(",", "")), awaiting };
};

const toIso = (ms: number): string => new Date(ms).toISOString();

export const toMaskStatistics = (row: FullMask): MaskStatistics => ({
  ...(parse(row.details) as RuleStatistics),
  totalReceived: row.total_received,
  totalForwarded: row.total_forwarded,
  spamBlocked: row.spam_blocked,
  totalSent: row.total_sent,
  lastUsed: row.last_used_at === null ? null : toIso(row.last_used_at),
  ...(row.month === "" ? {} : { monthly: { month: row.month, received: row.month_received } }),
});

/** Converts a row to the mask that clients receive (MA10). */
export const toMask = (row: FullMask, senderLists: Pick<SenderLists, "open">): Mask => {
  const fields = placeFields(readColumns(row));
  const created = toIso(row.created_at);
  const { further, awaiting } = readFurther(row.further);
  return {
    ...fields,
    id: row.id,
    maskEmail: row.email,
    forwardTo: row.forward_to,
    created,
    updated: row.updated_at === row.created_at ? created : toIso(row.updated_at),
    customPrefix: row.custom_prefix,
    settings: {
      ...fields.settings,
      rules: parse(row.rules) as unknown[],
      rulesVersion: versionOfRules(row.rules),
    },
    statistics: toMaskStatistics(row),
    senders: { mode: row.sender_mode, ...senderLists.open(row) },
    destinations: [row.forward_to, ...further],
    ...(awaiting.length > 0 && { awaitingDestinations: awaiting }),
    expiry: toExpiry(row),
    lastMailAt: row.last_used_at,
    metadata: parse(row.metadata) as NonNullable<Mask["metadata"]>,
    destinationStatus: row.confirmed_at === null ? "awaiting-confirmation" : "confirmed",
    ...(row.made_for !== "" && isSharedDomain(row.made_for) && { madeForAlone: true }),
  };
};
