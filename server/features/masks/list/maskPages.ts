import { type Expression, type SqlBool, sql } from "kysely";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { toSearchText } from "../../../../core/kernel/searchText.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { trashDays } from "../../../../core/trash/trashEndpoints.ts";
import type { Database, Db } from "../../../platform/store/database.ts";
import type { Engine } from "../../../platform/store/engine.ts";
import { firstFingerprint } from "../../destinations/destinationKeyQueries.ts";
import type { MaskDeps } from "../../maskChanges/maskDeps.ts";
import { type FullMask, selectAnyMasks, toMask } from "../maskQueries.ts";

/** The columns that a page can be sorted by. */
export type MaskOrder =
  | "created"
  | "updated"
  | "deleted"
  | "localPart"
  | "domain"
  | "email"
  | "active"
  | "forwarded"
  | "blocked"
  | "sent"
  | "lastForwarded"
  | "lastBlocked"
  | "lastSent"
  | "lastUsed";

/** The filter of the listed masks. Absent filters let all masks pass, except that deleted ones have to be asked for. */
export interface MaskFilter {
  /** A text in the address, description, note, site or a label; case and accents do not matter. */
  readonly search?: string | undefined;
  readonly isActive?: boolean | undefined;
  readonly isPinned?: boolean | undefined;
  /** Masks of the trash: also, or only. */
  readonly deleted?: "also" | "only" | undefined;
  /** The id of an address that mail is forwarded to, first or further. */
  readonly destinationId?: string | undefined;
  /** The domain of the address. */
  readonly domain?: string | undefined;
}

/** A page of masks, by its number. */
export interface MaskPageQuery extends MaskFilter {
  /** From 1. */
  readonly page: number;
  /** From 1 to 100. */
  readonly size: number;
  /** The newest masks come first where it is absent. */
  readonly sort?: { readonly by: MaskOrder; readonly isDescending: boolean } | undefined;
  /** True if the number of all masks that pass the filter is needed. */
  readonly isCounted?: boolean;
}

/** An address that a mask forwards to. */
export interface MaskDestination {
  readonly id: string;
  readonly email: string;
  /** null until it is confirmed. */
  readonly confirmedAt: number | null;
  readonly createdAt: number;
  /** The fingerprint of its own key; null for that of the account. */
  readonly fingerprint: string | null;
}

/** A mask of a page; times are in milliseconds since 1970. */
export interface PagedMask {
  readonly mask: Mask;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** null while it is not deleted. */
  readonly deletedAt: number | null;
  /** The destinations of its mail, the first one first. */
  readonly destinations: readonly MaskDestination[];
  /** The tag of the last mail that had one; null before. */
  readonly extension: string | null;
  /**
   * The times at which mail was last forwarded, blocked and sent from it; null before, and when that has left the owner's
   * history.
   */
  readonly lastForwardedAt: number | null;
  readonly lastBlockedAt: number | null;
  readonly lastSentAt: number | null;
}

export interface MaskPageResult {
  readonly masks: readonly PagedMask[];
  /** The number of all masks that pass the filter; null when it was not asked for. */
  readonly total: number | null;
}

/** The insights' names for the results of mail. */
const flows = ["forwarded", "blocked", "replied"] as const;
type Flow = (typeof flows)[number];

const restorableSince = (now: number): number => now - trashDays * dayMs;

/** Sorts text by its bytes, which databases of other languages do not. */
const byBytes = ({ name }: Pick<Engine, "name">, text: Expression<string>): Expression<string> =>
  name === "postgresql" ? sql<string>`${text} collate "C"` : text;

/** The domain of an address; the part before it may contain no other "@". */
const domainColumn = ({ name }: Pick<Engine, "name">): Expression<string> => {
  const at = name === "postgresql" ? sql`strpos(masks.email, '@')` : sql`instr(masks.email, '@')`;
  return sql<string>`lower(substr(masks.email, ${at} + 1))`;
};

/** Selects the time of the last mail of a mask with a result. */
const lastColumn = (flow: Flow): Expression<number> =>
  sql<number>`coalesce((
    select max(last_at) from mask_counts
    where mask_counts.user_id = masks.user_id and mask_counts.kind = 'flow'
      and mask_counts.mask_id = masks.id and mask_counts.key = ${flow}
  ), 0)`;

const orderColumn = (engine: Pick<Engine, "name">, by: MaskOrder): Expression<number | string> => {
  switch (by) {
    case "created":
      return sql<number>`masks.created_at`;
    case "updated":
      return sql<number>`masks.updated_at`;
    case "deleted":
      return sql<number>`coalesce(masks.deleted_at, 0)`;
    case "localPart":
      // A space precedes every character of an address, so that the shorter of two local parts comes first.
      return byBytes(engine, sql<string>`lower(replace(masks.email, '@', ' '))`);
    case "domain":
      return byBytes(engine, domainColumn(engine));
    case "email":
      return byBytes(engine, sql<string>`lower(masks.email)`);
    case "active":
      return sql<number>`masks.active`;
    case "forwarded":
      return sql<number>`mask_statistics.total_forwarded`;
    case "blocked":
      return sql<number>`mask_statistics.spam_blocked`;
    case "sent":
      return sql<number>`mask_statistics.total_sent`;
    case "lastForwarded":
      return lastColumn("forwarded");
    case "lastBlocked":
      return lastColumn("blocked");
    case "lastSent":
      return lastColumn("replied");
    case "lastUsed":
      return sql<number>`coalesce(mask_statistics.last_used_at, 0)`;
    default:
      return by satisfies never;
  }
};

/** Selects the masks that pass the filter, apart from its search. */
const selectFiltered = (
  db: Db,
  engine: Pick<Engine, "name">,
  userId: string,
  filter: MaskFilter,
  now: number,
) => {
  const { isActive, isPinned, deleted, destinationId, domain } = filter;
  const isInTrash = sql<SqlBool>`masks.deleted_at >= ${restorableSince(now)}`;
  return db
    .selectFrom("masks")
    .innerJoin("mask_statistics", "mask_statistics.mask_id", "masks.id")
    .where("masks.user_id", "=", userId)
    .$if(deleted === undefined, (all) => all.where("masks.deleted_at", "is", null))
    .$if(deleted === "only", (all) => all.where(isInTrash))
    .$if(deleted === "also", (all) => all.where((e) => e.or([e("masks.deleted_at", "is", null), isInTrash])))
    .$if(isActive !== undefined, (all) => all.where("masks.active", "=", isActive ? 1 : 0))
    .$if(isPinned !== undefined, (all) => all.where("masks.pinned", "=", isPinned ? 1 : 0))
    .$if(domain !== undefined, (all) =>
      all.where(sql<SqlBool>`${domainColumn(engine)} = ${domain?.toLowerCase()}`),
    )
    .$if(destinationId !== undefined, (all) =>
      all.where((e) =>
        e.or([
          e("masks.destination_id", "=", destinationId ?? ""),
          e.exists(
            e
              .selectFrom("mask_destinations")
              .whereRef("mask_destinations.mask_id", "=", "masks.id")
              .where("mask_destinations.destination_id", "=", destinationId ?? "")
              .select("position"),
          ),
        ]),
      ),
    );
};

type Texts = Pick<FullMask, "email" | "description" | "note" | "made_for" | "labels">;

const contains = ({ email, description, note, made_for: madeFor, labels }: Texts, search: string): boolean =>
  toSearchText([email, description, note, madeFor, ...(JSON.parse(labels) as string[])].join("\n")).includes(
    search,
  );

interface FoundIds {
  readonly ids: readonly string[];
  readonly total: number | null;
}

/** Finds the ids of a page. A search compares texts as the app does, which no database can, so it reads those of all. */
const findIds = async (
  { db, engine }: Database,
  userId: string,
  query: MaskPageQuery,
  now: number,
): Promise<FoundIds> => {
  const { page, size, isCounted = false } = query;
  const { by, isDescending } = query.sort ?? { by: "created", isDescending: true };
  const direction = isDescending ? "desc" : "asc";
  const filtered = selectFiltered(db, engine, userId, query, now);
  const sorted = filtered
    .$if(by !== "created", (all) => all.orderBy(orderColumn(engine, by), direction))
    .orderBy("masks.created_at", direction)
    .orderBy("masks.id", direction);
  const search = toSearchText(query.search ?? "").trim();
  const from = (page - 1) * size;
  if (search === "") {
    const rows = await sorted.select("masks.id").limit(size).offset(from).execute();
    const ids = rows.map(({ id }) => id);
    if (!isCounted) return { ids, total: null };
    const counted = await filtered.select((e) => e.fn.countAll<number>().as("n")).executeTakeFirstOrThrow();
    return { ids, total: Number(counted.n) };
  }
  const rows = await sorted
    .select(["masks.id", "masks.email", "masks.description", "masks.note", "masks.made_for", "masks.labels"])
    .execute();
  const found = rows.filter((row) => contains(row, search)).map(({ id }) => id);
  return { ids: found.slice(from, from + size), total: isCounted ? found.length : null };
};

/** Returns the ids of where each mask forwards to, and these destinations. */
const readDestinations = async (db: Db, userId: string, masks: readonly FullMask[]) => {
  const further = await db
    .selectFrom("mask_destinations")
    .where(
      "mask_id",
      "in",
      masks.map(({ id }) => id),
    )
    .orderBy("position")
    .select(["mask_id", "destination_id"])
    .execute();
  const furtherOf = Map.groupBy(further, ({ mask_id: maskId }) => maskId);
  const idsOf = ({ id, destination_id: first }: FullMask): readonly string[] => [
    ...new Set([first, ...(furtherOf.get(id) ?? []).map((one) => one.destination_id)]),
  ];
  const rows = await db
    .selectFrom("destinations")
    .where("user_id", "=", userId)
    .where("id", "in", [...new Set(masks.flatMap(idsOf))])
    .select(["id", "email", "confirmed_at", "created_at", firstFingerprint.as("fingerprint")])
    .execute();
  const known = new Map(
    rows.map((row): [string, MaskDestination] => [
      row.id,
      {
        id: row.id,
        email: row.email,
        confirmedAt: row.confirmed_at,
        createdAt: row.created_at,
        fingerprint: row.fingerprint,
      },
    ]),
  );
  return (mask: FullMask): readonly MaskDestination[] => idsOf(mask).flatMap((id) => known.get(id) ?? []);
};

const readLastTimes = async (db: Db, userId: string, masks: readonly FullMask[]) => {
  const rows = await db
    .selectFrom("mask_counts")
    .where("user_id", "=", userId)
    .where("kind", "=", "flow")
    .where(
      "mask_id",
      "in",
      masks.map(({ id }) => id),
    )
    .where("key", "in", [...flows])
    .groupBy(["mask_id", "key"])
    .select((e) => ["mask_id", "key", e.fn.max("last_at").as("at")])
    .execute();
  const times = new Map(rows.map(({ mask_id: id, key, at }) => [`${id} ${key}`, Number(at)]));
  return (maskId: string, flow: Flow): number | null => times.get(`${maskId} ${flow}`) ?? null;
};

/** Returns those of a user's masks that have these ids, in this order, also in the transaction that has changed them. */
export const readPagedMasks = async (
  db: Db,
  { senderLists }: Pick<MaskDeps, "senderLists">,
  userId: string,
  ids: readonly string[],
): Promise<readonly PagedMask[]> => {
  if (ids.length === 0) return [];
  const rows = await selectAnyMasks(db, userId)
    .where("masks.id", "in", [...ids])
    .execute();
  if (rows.length === 0) return [];
  const destinationsOf = await readDestinations(db, userId, rows);
  const lastTime = await readLastTimes(db, userId, rows);
  const byId = new Map(
    rows.map((row): [string, PagedMask] => [
      row.id,
      {
        mask: toMask(row, senderLists),
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        deletedAt: row.deleted_at,
        destinations: destinationsOf(row),
        extension: row.extension,
        lastForwardedAt: lastTime(row.id, "forwarded"),
        lastBlockedAt: lastTime(row.id, "blocked"),
        lastSentAt: lastTime(row.id, "replied"),
      },
    ]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** Returns those of a user's masks that have these ids, in this order; of deleted ones those that can be restored. */
export const findPagedMasks = async (
  context: Pick<MaskDeps, "clock" | "senderLists">,
  db: Db,
  userId: string,
  ids: readonly string[],
): Promise<readonly PagedMask[]> => {
  const since = restorableSince(context.clock.now());
  const masks = await readPagedMasks(db, context, userId, ids);
  return masks.filter(({ deletedAt }) => deletedAt === null || deletedAt >= since);
};

/** Returns a page of a user's masks. */
export const listMaskPage = async (
  context: Pick<MaskDeps, "database" | "clock" | "senderLists">,
  userId: string,
  query: MaskPageQuery,
): Promise<MaskPageResult> => {
  const { database, clock } = context;
  const { ids, total } = await findIds(database, userId, query, clock.now());
  return { masks: await readPagedMasks(database.db, context, userId, ids), total };
};
