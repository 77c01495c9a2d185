import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Gauge, type Registry } from "@prometheus-io/client";
import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { finishedDays } from "../../delivery/delivery.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { readRefusedPasskeys, readWrongCodes } from "../signInCodes/codeCountQueries.ts";
import { wrongCodeLimits } from "../signInCodes/codeLimits.ts";

export interface StoredMetricsDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
}

/** Counting takes at most this share of the time, however many monitors ask and however much there is to count. */
const leastPauseShare = 50;
const slowPauseMs = minuteMs;

const countRows = async (db: Db, table: "users" | "held_mails"): Promise<number> => {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
};

const countMasks = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom("masks")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Counts what a partial index contains. What is delivered is not counted: it stays in the queue for days. */
const countMails = async (db: Db, status: "waiting" | "failed"): Promise<number> => {
  const { count } = await db
    .selectFrom("queue")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("status", "=", status)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** Rows that SQLite reads in a few milliseconds, in which it answers nobody else. */
const sliceRows = 2_000;

/** Returns when the oldest waiting mail was queued; null when none waits. Others are answered between slices of rows. */
const findOldest = async (db: Db): Promise<number | null> => {
  let oldest: number | null = null;
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const { count, since, last } = await db
      .selectFrom(
        db
          .selectFrom("queue")
          .select(["created_at", "next_attempt_at"])
          .where("status", "=", "waiting")
          .where("next_attempt_at", ">", after)
          .orderBy("next_attempt_at")
          .limit(sliceRows)
          .as("slice"),
      )
      .select(({ fn }) => [
        fn.countAll().as("count"),
        fn.min("created_at").as("since"),
        fn.max("next_attempt_at").as("last"),
      ])
      .executeTakeFirstOrThrow();
    if (since === null || last === null) return oldest;
    oldest = Math.min(oldest ?? Number.POSITIVE_INFINITY, Number(since));
    if (Number(count) < sliceRows) return oldest;
    after = Number(last);
    await nextTurn();
  }
};

/** Runs work again once a pause has passed since it ended, which is the longer the longer it took. */
const createPaced = (
  work: () => Promise<void>,
  clock: Pick<Clock, "now">,
  leastMs: number,
): (() => Promise<void>) => {
  let last: { readonly at: number; readonly pauseMs: number } | null = null;
  return async () => {
    const now = clock.now();
    if (last !== null && Math.abs(now - last.at) < last.pauseMs) return;
    const began = performance.now();
    await work();
    last = { at: now, pauseMs: Math.max(leastMs, (performance.now() - began) * leastPauseShare) };
  };
};

/**
 * Adds what is counted in the store. Returns the function that refreshes it, and `bauta_store_up` with it: while the store
 * does not answer, the figures keep their last values.
 */
export const addStoredMetrics = (
  registry: Registry,
  { database, clock }: StoredMetricsDeps,
): (() => Promise<void>) => {
  const { db } = database;
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] });
  const up = gauge("bauta_store_up", "Whether the store answers (1) or not (0).");
  const users = gauge("bauta_users", "Number of accounts.");
  const masks = gauge("bauta_masks", "Number of masks.");
  const mails = new Gauge({
    name: "bauta_mails",
    help: `Mails that wait for delivery, that failed in the last ${finishedDays} days, and that are held for their owners.`,
    labelNames: ["status"],
    registers: [registry],
  });
  const wrongCodes = gauge("bauta_wrong_codes", "Wrong sign-in codes and second factors of the last day.");
  const refusedPasskeys = gauge("bauta_refused_passkeys", "Refused passkeys of the last day.");
  const guessedAccounts = gauge(
    "bauta_guessed_accounts",
    `Accounts with at least ${wrongCodeLimits.notifiedAfter} wrong codes in the last day.`,
  );
  const oldest = gauge(
    "bauta_oldest_waiting_mail_seconds",
    "Age of the oldest waiting mail in seconds; 0 without waiting mail.",
  );

  const refreshQueue = createPaced(
    async () => {
      mails.set({ status: "waiting" }, await countMails(db, "waiting"));
      mails.set({ status: "failed" }, await countMails(db, "failed"));
      const since = await findOldest(db);
      const waitingMs = since === null ? 0 : clock.now() - since;
      oldest.set(Math.max(0, Math.floor(waitingMs / 1_000)));
      const guessed = await readWrongCodes(db, clock.now());
      wrongCodes.set(guessed.codes);
      guessedAccounts.set(guessed.accounts);
      refusedPasskeys.set(await readRefusedPasskeys(db, clock.now()));
    },
    clock,
    0,
  );
  const refreshTotals = createPaced(
    async () => {
      users.set(await countRows(db, "users"));
      masks.set(await countMasks(db));
      mails.set({ status: "held" }, await countRows(db, "held_mails"));
    },
    clock,
    slowPauseMs,
  );

  return async () => {
    // Until it has answered.
    up.set(0);
    await db.selectFrom("users").select("id").limit(1).execute();
    up.set(1);
    await refreshQueue();
    await refreshTotals();
  };
};
