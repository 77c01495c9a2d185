import { createUserInsights } from "../../server/features/insights/userInsights.ts";
import { type BenchAccount, masks, openAccount } from "./account.ts";

const now = Date.UTC(2026, 10, 21, 12);
const sizes = [10_000, 100_000, 1_000_000];
const rounds = 15;

const median = async (work: () => unknown): Promise<number> => {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    await work();
    measured.push(performance.now() - began);
  }
  return measured.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
};

const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, n) => (n === 0 ? String(cell).padEnd(38) : String(cell).padStart(12))).join("");

/** Computes the same figures from one row per mail: mails by category, by sender and by mask. */
const countRows = ({ rows }: BenchAccount): void => {
  for (const column of ["category", "domain", "mask"])
    rows.prepare(`select ${column}, count(*) from mails group by ${column}`).all();
};

/** Measures GET /ai/insights for an account with a thousand masks, beside counting one row per mail. */
export const run = async (): Promise<void> => {
  console.log(`GET /ai/insights for ${masks} masks, two years of mail, SQLite, median of ${rounds} in ms`);
  const costs = { all: [] as number[], one: [] as number[], rows: [] as number[] };
  for (const size of sizes) {
    const account = await openAccount(size, now);
    const { database, owner, maskId } = account;
    const insights = createUserInsights({ database, clock: { now: () => now } });
    costs.all.push(await median(() => insights.getInsights(owner.id, null)));
    costs.one.push(await median(() => insights.getInsights(owner.id, maskId)));
    costs.rows.push(await median(() => countRows(account)));
    account.rows.close();
    await database.close();
  }
  const shown = (all: readonly number[]) => {
    const [first = Number.NaN, last = Number.NaN] = [all[0], all.at(-1)];
    return [...all.map((ms) => ms.toFixed(1)), `× ${(last / first).toFixed(1)}`];
  };
  console.log(line(["mails", ...sizes.map((size) => size.toLocaleString("en-US")), "growth"]));
  console.log(line(["ours, all masks", ...shown(costs.all)]));
  console.log(line(["ours, one mask", ...shown(costs.one)]));
  console.log(line(["peer: one row per mail, counted", ...shown(costs.rows)]));
};
