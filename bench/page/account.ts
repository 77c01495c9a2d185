import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Kept, openAccountApi, tokenOf } from "../../test/e2e/support/accountApi.ts";
import type { RunningServer } from "../../test/e2e/support/server.ts";
import { createAccount } from "../../test/e2e/support/visitor.ts";

export interface BenchAccount {
  /** The browser's cookies and storage of the signed-in account. */
  readonly kept: Kept;
  readonly token: string;
}

/** Copies the only mask of a user until there are `count`. */
const copyMasks = (dataDir: string, count: number): void => {
  const file = readdirSync(dataDir).find((name) => name.endsWith(".db")) ?? "";
  const database = new DatabaseSync(join(dataDir, file), { timeout: 10_000 });
  const [mask] = database.prepare("select * from masks order by created_at desc limit 1").all();
  const [statistics] = database
    .prepare("select * from mask_statistics where mask_id = ?")
    .all(mask?.["id"] ?? null);
  if (mask === undefined || statistics === undefined) throw new Error("there is no mask to copy");
  const insert = (table: string, row: typeof mask): void => {
    const names = Object.keys(row);
    database
      .prepare(`insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`)
      .run(...Object.values(row));
  };
  database.exec("begin immediate");
  for (let n = 1; n < count; n += 1) {
    const id = `${String(mask["id"]).slice(0, 12)}${String(n).padStart(8, "0")}`;
    const created = Number(mask["created_at"]) - n * 1_000;
    insert("masks", {
      ...mask,
      id,
      email: `m${n}.${String(mask["email"])}`,
      description: `Shop number ${n}`,
      created_at: created,
      updated_at: created,
    });
    insert("mask_statistics", { ...statistics, mask_id: id, total_received: n, total_forwarded: n });
  }
  database.exec("commit");
  database.close();
};

/** Creates an account with so many masks. */
export const createBenchAccount = async (server: RunningServer, masks: number): Promise<BenchAccount> => {
  const kept = await createAccount(server, `masks${masks}@example.org`);
  const api = await openAccountApi(server, kept);
  await api.send("POST", "/masks", { description: "Shop number 0" });
  await api.leave();
  copyMasks(server.dataDir, masks);
  return { kept, token: tokenOf(kept) };
};
