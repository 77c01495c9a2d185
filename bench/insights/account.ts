import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { addCounts, type Count, type CountKind } from "../../server/features/insights/countQueries.ts";
import { type Database, openDatabase } from "../../server/platform/store/database.ts";
import { sqliteEngine } from "../../server/platform/store/sqlite.ts";
import { addMask, addOwner, type Owner } from "../../test/server/support/owners.ts";

export const masks = 1_000;
const domains = 500;
const months = 24;
const atOnce = 20_000;
const categories = ["promotional", "transactional", "newsletter", "social", "personal"];

/** Returns mail number `n`: each mask has three senders, and mail is spread evenly over two years. */
const mailOf = (n: number) => {
  const mask = (n * 7_919) % masks;
  const month = new Date(Date.UTC(2024, 11 + (n % months), 1)).toISOString().slice(0, 7);
  const domain = `shop${(mask * 3 + (Math.floor(n / masks) % 3)) % domains}.example`;
  return { mask, month, domain, category: categories[(n * 31) % categories.length] ?? "" };
};

/** An account of a thousand masks after so many mails: in the product's tables, and one row per mail beside them. */
export interface BenchAccount {
  readonly database: Database;
  readonly owner: Owner;
  readonly maskId: string;
  readonly rows: DatabaseSync;
}

const countsOf = (owner: Owner, maskIds: readonly string[], from: number, to: number): readonly Count[] => {
  const counts: Count[] = [];
  for (let n = from; n < to; n += 1) {
    const { mask, month: period, domain, category } = mailOf(n);
    const facts: readonly (readonly [CountKind, string])[] = [
      ["flow", "received"],
      ["flow", "forwarded"],
      ["sender", domain],
      ["category", category],
    ];
    for (const maskId of [null, maskIds[mask] ?? ""])
      for (const [kind, key] of facts) counts.push({ userId: owner.id, maskId, kind, period, key, n: 1 });
  }
  return counts;
};

const rowPerMail = (folder: string, mails: number): DatabaseSync => {
  const rows = new DatabaseSync(join(folder, "rows.db"));
  rows.exec("create table mails (mask integer, month text, domain text, category text); begin");
  const insert = rows.prepare("insert into mails values (?, ?, ?, ?)");
  for (let n = 0; n < mails; n += 1) {
    const { mask, month, domain, category } = mailOf(n);
    insert.run(mask, month, domain, category);
  }
  rows.exec("commit; create index mails_by_mask on mails (mask, month)");
  return rows;
};

export const openAccount = async (mails: number, now: number): Promise<BenchAccount> => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-bench-"));
  const database = await openDatabase(sqliteEngine(join(folder, "bauta.db")));
  const owner = await addOwner(database.db, "pro_premium");
  const ids: string[] = [];
  await database.transaction(async (db) => {
    for (let n = 0; n < masks; n += 1) ids.push((await addMask(db, owner)).id);
    for (const id of ids)
      await db
        .insertInto("mask_statistics")
        .values({
          mask_id: id,
          user_id: owner.id,
          total_received: 0,
          total_forwarded: 0,
          spam_blocked: 0,
          total_sent: 0,
          last_used_at: now,
        })
        .execute();
  });
  for (let from = 0; from < mails; from += atOnce)
    await database.transaction((db) =>
      addCounts(db, database.engine, countsOf(owner, ids, from, Math.min(from + atOnce, mails)), now),
    );
  return { database, owner, maskId: ids[0] ?? "", rows: rowPerMail(folder, mails) };
};
