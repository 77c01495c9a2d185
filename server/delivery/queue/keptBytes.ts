import { type Kysely, sql } from "kysely";
import type { Prune } from "../../platform/ops/housekeeping.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { Tables } from "../../platform/store/tables.ts";

/** Mail that is kept for an account: held, archived, collected for a digest, or waiting for another attempt. */
export interface KeptMail {
  readonly userId: string;
  /** The network that sent it; null where it is not limited, and for mail of the owner. */
  readonly network: string | null;
  readonly bytes: number;
  readonly isArchived?: boolean;
}

/** The most bytes that may be kept. */
export interface KeptLimits {
  readonly ofAccount: number;
  /** For one account, of one network. */
  readonly ofNetworkInAccount: number;
  /** For all accounts together, of one network. */
  readonly ofNetwork: number;
  /** In the archive of the account. */
  readonly ofArchive: number;
}

/** Mail to keep, and the limits that hold for it. */
export interface WantedMail extends KeptMail {
  readonly limits: KeptLimits;
}

/** The network of the row that counts all mail of an account. */
const all = "";

interface Bytes {
  bytes: number;
  archived: number;
}

interface AccountBytes extends Bytes {
  readonly userId: string;
  readonly network: string;
}

interface Totals {
  readonly accounts: readonly AccountBytes[];
  readonly networks: readonly (readonly [network: string, bytes: number])[];
}

const keyOf = (userId: string, network: string): string => `${userId} ${network}`;

const byKey = <A>([one]: readonly [string, A], [other]: readonly [string, A]): number =>
  one < other ? -1 : 1;

/** Returns the rows that mails are counted in; sorted, so that two processes lock them in the same order. */
const totalsOf = (mails: readonly KeptMail[]): Totals => {
  const accounts = new Map<string, AccountBytes>();
  const networks = new Map<string, number>();
  for (const { userId, network, bytes, isArchived = false } of mails) {
    for (const of of network === null ? [all] : [all, network]) {
      const row = accounts.get(keyOf(userId, of)) ?? { userId, network: of, bytes: 0, archived: 0 };
      accounts.set(keyOf(userId, of), row);
      row.bytes += bytes;
      row.archived += isArchived ? bytes : 0;
    }
    if (network !== null) networks.set(network, (networks.get(network) ?? 0) + bytes);
  }
  return {
    accounts: [...accounts].toSorted(byKey).map(([, row]) => row),
    networks: [...networks].toSorted(byKey),
  };
};

const add = async (db: Db, { accounts, networks }: Totals): Promise<void> => {
  if (accounts.length > 0)
    await db
      .insertInto("kept_bytes")
      .values(
        accounts.map(({ userId, network, bytes, archived }) => ({
          user_id: userId,
          network,
          bytes,
          archived,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(["user_id", "network"]).doUpdateSet(({ eb, ref }) => ({
          bytes: eb("kept_bytes.bytes", "+", ref("excluded.bytes")),
          archived: eb("kept_bytes.archived", "+", ref("excluded.archived")),
        })),
      )
      .execute();
  if (networks.length > 0)
    await db
      .insertInto("network_bytes")
      .values(networks.map(([network, bytes]) => ({ network, bytes })))
      .onConflict((conflict) =>
        conflict.column("network").doUpdateSet(({ eb, ref }) => ({
          bytes: eb("network_bytes.bytes", "+", ref("excluded.bytes")),
        })),
      )
      .execute();
};

/** Counts mail that is kept whatever the limits are, in the transaction that stores it. */
export const addKept = (db: Db, mails: readonly KeptMail[]): Promise<void> => add(db, totalsOf(mails));

/** Takes mail that is no longer kept from the counts, in the transaction that deletes or sends it. */
export const removeKept = async (db: Db, mails: readonly KeptMail[]): Promise<void> => {
  const { accounts, networks } = totalsOf(mails);
  for (const { userId, network, bytes, archived } of accounts)
    await db
      .updateTable("kept_bytes")
      .set((eb) => ({ bytes: eb("bytes", "-", bytes), archived: eb("archived", "-", archived) }))
      .where("user_id", "=", userId)
      .where("network", "=", network)
      .execute();
  for (const [network, bytes] of networks)
    await db
      .updateTable("network_bytes")
      .set((eb) => ({ bytes: eb("bytes", "-", bytes) }))
      .where("network", "=", network)
      .execute();
};

/** Takes the mail of a user who is deleted from the counts of networks; the user's own go with the user. */
export const removeKeptOfUser = async (db: Db, userId: string): Promise<void> => {
  const rows = await db
    .selectFrom("kept_bytes")
    .where("user_id", "=", userId)
    .where("network", "!=", all)
    .orderBy("network")
    .select(["network", "bytes"])
    .execute();
  for (const { network, bytes } of rows)
    await db
      .updateTable("network_bytes")
      .set((eb) => ({ bytes: eb("bytes", "-", Number(bytes)) }))
      .where("network", "=", network)
      .execute();
};

/** Locks the counts of mails and returns them by key; on SQLite the transaction is the only one that writes. */
const lockCounts = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  mails: readonly KeptMail[],
): Promise<ReadonlyMap<string, Bytes>> => {
  const { accounts, networks } = totalsOf(mails.map((mail) => ({ ...mail, bytes: 0 })));
  await add(db, { accounts, networks });
  const isPostgresql = engine.name === "postgresql";
  const counts = new Map<string, Bytes>();
  const ofAccounts = await db
    .selectFrom("kept_bytes")
    .where(({ eb, or, and }) =>
      or(
        accounts.map(({ userId, network }) => and([eb("user_id", "=", userId), eb("network", "=", network)])),
      ),
    )
    .orderBy("user_id")
    .orderBy("network")
    .selectAll()
    .$if(isPostgresql, (query) => query.forUpdate())
    .execute();
  for (const { user_id, network, bytes, archived } of ofAccounts)
    counts.set(keyOf(user_id, network), { bytes: Number(bytes), archived: Number(archived) });
  if (networks.length === 0) return counts;
  const ofNetworks = await db
    .selectFrom("network_bytes")
    .where(
      "network",
      "in",
      networks.map(([network]) => network),
    )
    .orderBy("network")
    .selectAll()
    .$if(isPostgresql, (query) => query.forUpdate())
    .execute();
  for (const { network, bytes } of ofNetworks)
    counts.set(keyOf(all, network), { bytes: Number(bytes), archived: 0 });
  return counts;
};

/**
 * Counts mail to keep in the transaction that stores it: all of it, or nothing where one has no room; exact also under
 * parallel transactions. Returns those without room.
 */
export const takeRoom = async <Wanted extends WantedMail>(
  database: Pick<Database, "engine">,
  db: Db,
  wanted: readonly Wanted[],
): Promise<readonly Wanted[]> => {
  if (wanted.length === 0) return [];
  const counts = await lockCounts(database, db, wanted);
  const taken = new Map<string, Bytes>();
  const fits = (
    key: string,
    most: number,
    { bytes, isArchived = false }: WantedMail,
    archiveMost: number,
  ) => {
    const before = counts.get(key) ?? { bytes: 0, archived: 0 };
    const own = taken.get(key) ?? { bytes: 0, archived: 0 };
    own.bytes += bytes;
    own.archived += isArchived ? bytes : 0;
    taken.set(key, own);
    return before.bytes + own.bytes <= most && (!isArchived || before.archived + own.archived <= archiveMost);
  };
  const refused = wanted.filter((mail) => {
    const { userId, network, limits } = mail;
    const { ofAccount, ofNetworkInAccount, ofNetwork, ofArchive } = limits;
    const inAccount = fits(keyOf(userId, all), ofAccount, mail, ofArchive);
    if (network === null) return !inAccount;
    const ofPair = fits(keyOf(userId, network), ofNetworkInAccount, mail, ofArchive);
    return !(fits(keyOf(all, network), ofNetwork, mail, ofArchive) && inAccount && ofPair);
  });
  if (refused.length === 0) await addKept(db, wanted);
  return refused;
};

/** The bytes kept for an account, in all and of a network, and of the network for all accounts. */
export interface KeptCounts {
  readonly ofAccount: number;
  readonly ofNetworkInAccount: number;
  readonly ofNetwork: number;
}

/** True if a mail of so many bytes has no room beside what is kept; one of no known size takes some. */
export const isFull = (counts: KeptCounts, limits: KeptLimits, size: number): boolean =>
  counts.ofAccount + Math.max(size, 1) > limits.ofAccount ||
  counts.ofNetworkInAccount + Math.max(size, 1) > limits.ofNetworkInAccount ||
  counts.ofNetwork + Math.max(size, 1) > limits.ofNetwork;

const findCounts = `
  select coalesce((select bytes from kept_bytes where user_id = $1 and network = ''), 0) as "ofAccount",
    coalesce((select bytes from kept_bytes where user_id = $1 and network = $2), 0) as "ofNetworkInAccount",
    coalesce((select bytes from network_bytes where network = $2), 0) as "ofNetwork"`;

/** Returns what is kept for an account and of a network; null names none. */
export const readKeptCounts = async (
  { engine }: Pick<Database, "engine">,
  { userId, network }: Pick<KeptMail, "userId" | "network">,
): Promise<KeptCounts> => {
  const none = { ofAccount: 0, ofNetworkInAccount: 0, ofNetwork: 0 };
  const [row = none] = await engine.readCached<KeptCounts>(findCounts, [userId, network ?? "none"]);
  return {
    ofAccount: Number(row.ofAccount),
    ofNetworkInAccount: network === null ? 0 : Number(row.ofNetworkInAccount),
    ofNetwork: network === null ? 0 : Number(row.ofNetwork),
  };
};

/** Returns how many bytes are kept for all accounts. */
export const readAllKept = async (db: Db): Promise<number> => {
  const { bytes } = await db
    .selectFrom("kept_bytes")
    .where("network", "=", all)
    .select(({ fn }) => fn.sum<number | null>("bytes").as("bytes"))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
};

/** Returns how many bytes an account's archive has. */
export const readArchivedBytes = async (db: Db, userId: string): Promise<number> => {
  const row = await db
    .selectFrom("kept_bytes")
    .where("user_id", "=", userId)
    .where("network", "=", all)
    .select("archived")
    .executeTakeFirst();
  return Number(row?.archived ?? 0);
};

const stored = sql`
  select user_id, network, size as bytes, 0 as archived from queue where counted = 1
  union all select user_id, network, size, size from archived_mails
  union all select user_id, network, size, 0 from digest_mails`;

const replaceCounts = async (db: Kysely<Tables>): Promise<void> => {
  await sql`delete from kept_bytes`.execute(db);
  await sql`delete from network_bytes`.execute(db);
  await sql`insert into kept_bytes (user_id, network, bytes, archived)
    select user_id, '', sum(bytes), sum(archived) from (${stored}) as kept group by user_id`.execute(db);
  await sql`insert into kept_bytes (user_id, network, bytes, archived)
    select user_id, network, sum(bytes), sum(archived) from (${stored}) as kept
    where network is not null group by user_id, network`.execute(db);
  await sql`insert into network_bytes (network, bytes)
    select network, sum(bytes) from (${stored}) as kept where network is not null group by network`.execute(
    db,
  );
};

/** Counts all that is kept anew, which repairs what a restored backup left behind, and forgets networks without mail. */
export const recountKept: Prune = (db, _, engine) =>
  db.transaction().execute(async (tx) => {
    if (engine.name === "postgresql")
      await sql`lock table kept_bytes, network_bytes in exclusive mode`.execute(tx);
    await replaceCounts(tx);
  });
