import { domainToUnicode } from "node:url";
import { type Insertable, sql, type Updateable } from "kysely";
import type { Domain } from "../../../core/domains/domain.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent, everyProcess } from "../../platform/store/events.ts";
import { type DomainRecordsOptions, recordsOf } from "./domainRecords.ts";
import type { DomainRow, DomainsTable } from "./domainTables.ts";

const countMasks = sql<number>`(
  select count(*) from masks
  where masks.user_id = domains.user_id and masks.deleted_at is null and masks.email like '%@' || domains.name
)`.as("masks");

const selectDomains = (db: Db, userId: string) =>
  db
    .selectFrom("domains")
    .leftJoin("destinations", (join) =>
      join
        .onRef("destinations.id", "=", "domains.destination_id")
        .on("destinations.confirmed_at", "is not", null),
    )
    .selectAll("domains")
    .select(["destinations.email as destination", countMasks])
    .where("domains.user_id", "=", userId);

type ListedDomain = Awaited<ReturnType<typeof findDomains>>[number];

/** Returns a user's domains by name. */
export const findDomains = (db: Db, userId: string) =>
  selectDomains(db, userId).orderBy("domains.name").execute();

/** Returns one of a user's domains; undefined when it does not exist or belongs to another user. */
export const findDomain = (db: Db, userId: string, id: string): Promise<ListedDomain | undefined> =>
  selectDomains(db, userId).where("domains.id", "=", id).executeTakeFirst();

/** Inserts a domain; undefined when the user has it already. */
export const insertDomain = (db: Db, domain: Insertable<DomainsTable>): Promise<DomainRow | undefined> =>
  db
    .insertInto("domains")
    .values(domain)
    .onConflict((conflict) => conflict.columns(["user_id", "name"]).doNothing())
    .returningAll()
    .executeTakeFirst();

/** Changes a user's domain; undefined when there is none. */
export const updateDomain = (
  db: Db,
  { id, user_id }: Pick<DomainRow, "id" | "user_id">,
  change: Updateable<DomainsTable>,
): Promise<DomainRow | undefined> =>
  db
    .updateTable("domains")
    .set({ id, ...change })
    .where("id", "=", id)
    .where("user_id", "=", user_id)
    .returningAll()
    .executeTakeFirst();

/** Removes a user's domain; false when there is none. */
export const deleteDomainRow = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("domains")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Returns domains whose next check is due, the longest due first. */
export const findDueDomains = (db: Db, now: number, limit: number): Promise<DomainRow[]> =>
  db
    .selectFrom("domains")
    .selectAll()
    .where("next_check_at", "<=", now)
    .orderBy("next_check_at")
    .limit(limit)
    .execute();

/** The resource of the events that tell every process that the key of some domain may have changed. */
export const domainKeysResource = "domain-keys";

/** The resource of the events about domains. */
export const domainsResource = "domains";

/** Records that a user's domains have changed, for the user's clients and for processes that sign with their keys. */
export const recordDomainChange = async (db: Db, userId: string, now: number): Promise<void> => {
  await appendEvent(db, { userId, resource: domainsResource, resourceId: null, action: "updated" }, now);
  const keys = { resource: domainKeysResource, resourceId: null, action: "updated" };
  await appendEvent(db, { userId: everyProcess, ...keys }, now);
};

const stateOf = (row: DomainRow, records: Domain["records"]): Domain["state"] => {
  if (row.proven_at === null) return "waiting";
  if (row.lapsed_at !== null) return "lapsed";
  return records.some(({ state }) => state === "problem") ? "incomplete" : "ready";
};

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/** Converts a row to the domain that clients receive. */
export const toDomain = (row: ListedDomain, options: DomainRecordsOptions): Domain => {
  const records = recordsOf(row, options);
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    shownName: domainToUnicode(row.name) || row.name,
    state: stateOf(row, records),
    records,
    checkedAt: iso(row.checked_at),
    lapsedSince: iso(row.lapsed_at),
    catchAll: row.catch_all,
    patterns: JSON.parse(row.patterns) as string[],
    approveFirst: row.approve_first === 1,
    destination: row.destination,
    masks: Number(row.masks),
  };
};
