import type { Random } from "../../../core/ports/random.ts";
import type { Tier } from "../../../core/tiers/tier.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { newId } from "../../platform/store/id.ts";
import type { Tables } from "../../platform/store/tables.ts";
import { noRules } from "../../relay/evaluate/ruleCache.ts";
import { generateAddress } from "../masks/maskAddress.ts";
import { newColumns } from "../masks/maskColumns.ts";

export interface SeedRequest {
  readonly accounts: number;
  readonly masksEach: number;
  readonly maskDomain: string;
  readonly tier: Tier;
  readonly random: Random;
  readonly now: number;
  /** Called after each batch with the number of created accounts. */
  readonly onProgress: (accounts: number) => void;
}

const accountsPerCommit = 2_000;

type Row = Readonly<Record<string, string | number | null>>;

/** The columns that have a value: PostgreSQL would need the type of the others. */
const namesOf = (row: Row): readonly string[] => Object.keys(row).filter((name) => row[name] !== null);

const statementOf = (table: string, row: Row): RowStatement => {
  const names = namesOf(row);
  return {
    columns: Object.fromEntries(
      names.map((name) => [name, typeof row[name] === "number" ? "bigint" : "text"]),
    ),
    text: (rows) => `insert into ${table} (${names.join(", ")}) select ${names.join(", ")} from ${rows}`,
  };
};

/** Inserts rows of one shape in the order of a column that an index has, so that neighbors share its pages. */
const insertAll = async (
  { engine }: Database,
  db: Db,
  { table, order }: { readonly table: keyof Tables; readonly order: string },
  rows: readonly Row[],
): Promise<void> => {
  const sorted = rows.toSorted((a, b) => (String(a[order]) < String(b[order]) ? -1 : 1));
  const [first] = sorted;
  if (first)
    await engine.runRows(
      db,
      statementOf(table, first),
      sorted.map((row) => namesOf(first).map((name) => row[name] ?? null)),
    );
};

const accountRows = (index: number, { masksEach, maskDomain, tier, random, now }: SeedRequest) => {
  const userId = newId(random);
  const destinationId = newId(random);
  const email = `seed-${newId(random).slice(0, 12).toLowerCase()}-${index}@seed.example`;
  const masks = Array.from({ length: masksEach }, (_, number) => ({
    id: newId(random),
    email: generateAddress(random, maskDomain, { prefix: null, format: undefined }),
    description: `Seed ${number + 1}`,
  }));
  return {
    user: {
      id: userId,
      email,
      email_key: email,
      tier,
      key_status: "not-configured",
      two_factor: 0,
      mask_count: masksEach,
      created_at: now,
    },
    destination: {
      id: destinationId,
      user_id: userId,
      email,
      email_key: email,
      confirmed_at: now,
      token_hash: null,
      token_expires_at: null,
      asked_at: null,
      created_at: now,
    },
    addresses: masks.map((mask) => ({ email_key: mask.email, mask_id: mask.id, created_at: now })),
    masks: masks.map(({ id, email: address, description }) => ({
      id,
      user_id: userId,
      destination_id: destinationId,
      email: address,
      ...newColumns({ description, forwardTo: email }),
      custom_prefix: null,
      rules: noRules,
      metadata: "{}",
      created_at: now,
      updated_at: now,
    })),
    statistics: masks.map(({ id }) => ({
      mask_id: id,
      user_id: userId,
      total_received: 0,
      total_forwarded: 0,
      spam_blocked: 0,
      total_sent: 0,
    })),
  };
};

/** Creates test accounts with masks; their mailboxes are in a reserved domain (RFC 2606). */
export const seedAccounts = async (database: Database, request: SeedRequest): Promise<void> => {
  const { accounts, onProgress } = request;
  for (let made = 0; made < accounts; made += accountsPerCommit) {
    const count = Math.min(accountsPerCommit, accounts - made);
    const rows = Array.from({ length: count }, (_, index) => accountRows(made + index, request));
    await database.transaction(async (db) => {
      const insert = (table: keyof Tables, order: string, all: readonly Row[]) =>
        insertAll(database, db, { table, order }, all);
      await insert(
        "users",
        "id",
        rows.map(({ user }) => user),
      );
      await insert(
        "destinations",
        "id",
        rows.map(({ destination }) => destination),
      );
      await insert(
        "masks",
        "user_id",
        rows.flatMap(({ masks }) => masks),
      );
      await insert(
        "mask_addresses",
        "email_key",
        rows.flatMap(({ addresses }) => addresses),
      );
      await insert(
        "mask_statistics",
        "mask_id",
        rows.flatMap(({ statistics }) => statistics),
      );
    });
    onProgress(made + count);
  }
};
