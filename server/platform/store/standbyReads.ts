import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Clock } from "../../../core/ports/clock.ts";
import { errorCode } from "../errors/errorCode.ts";
import type { Tables } from "./tables.ts";

type Db = Kysely<Tables>;

/** "now": all that was committed before the call; "recent": of the last 30 seconds something may be missing. */
export type Freshness = "now" | "recent";

/**
 * Runs work that only reads, on a standby where there is one that is fresh enough, else on the primary; work may run twice.
 * `onPrimary` runs it there, without a transaction by default; on a standby it runs in one.
 */
export type ReadAside = <A>(
  freshness: Freshness,
  work: (db: Db) => Promise<A>,
  onPrimary?: (work: (db: Db) => Promise<A>) => Promise<A>,
) => Promise<A>;

/** The server on which such a read has run. */
export type ReadPlace = "standby" | "primary";

export interface StandbyReads {
  readonly read: ReadAside;
  readonly close: () => Promise<void>;
}

interface StandbyDeps {
  readonly primary: Db;
  readonly clock: Pick<Clock, "now">;
  /** Takes a line for the operator. */
  readonly report: (line: string) => void;
  readonly onRead: (place: ReadPlace) => void;
}

/** A standby that is further behind is not read. Every process of ours commits each 10 s, so that an idle one is not behind. */
const maxLagSeconds = 30;
/** The time for which a standby that failed, or was behind, is left alone. */
const leftAloneMs = 5_000;
const connectWithinMs = 2_000;
const answersWithinMs = 15_000;

/** Without a standby, all is read on the primary. */
export const noStandby = (primary: Db): StandbyReads => ({
  read: (_freshness, work, onPrimary = (run) => run(primary)) => onPrimary(work),
  close: async () => {},
});

interface StandbyState {
  readonly is_fresh: boolean | null;
}

/** True if the server of a connection is a standby that has replayed the position and is at most 30 s behind. */
const isFresh = async (db: Db, position: string | null): Promise<boolean> => {
  const hasReplayed = position === null ? sql`true` : sql`pg_last_wal_replay_lsn() >= ${position}::pg_lsn`;
  const { rows } = await sql<StandbyState>`
    select pg_is_in_recovery() and ${hasReplayed}
      and clock_timestamp() - pg_last_xact_replay_timestamp() < make_interval(secs => ${maxLagSeconds}) as is_fresh
  `.execute(db);
  return rows[0]?.is_fresh === true;
};

const positionOf = async (primary: Db): Promise<string | null> => {
  const { rows } = await sql<{ position: string }>`select pg_current_wal_lsn()::text as position`.execute(
    primary,
  );
  return rows[0]?.position ?? null;
};

/** The answer of a read; why there is none otherwise: the standby is behind, has failed itself, or the work has. */
type StandbyAnswer<A> =
  | { readonly kind: "answered"; readonly answer: A }
  | { readonly kind: "behind" | "failed" | "refused" };

/** SQLSTATE of a read that was ended because the primary has deleted what it read. */
const recoveryConflict = "40001";

/** True if the standby itself has failed: what the work refuses has a class of its own, and is refused on the primary too. */
const isOfStandby = (error: unknown): boolean =>
  error instanceof Error &&
  (error.constructor === Error || error instanceof AggregateError || errorCode(error) !== "") &&
  errorCode(error) !== recoveryConflict;

const toProblem = (error: unknown): StandbyAnswer<never> => ({
  kind: isOfStandby(error) ? "failed" : "refused",
});

/** Reads on the standby at the address as far as it is fresh. Says once when it cannot, and once when it can again. */
export const createStandbyReads = (
  url: string,
  { primary, clock, report, onRead }: StandbyDeps,
): StandbyReads => {
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: connectWithinMs,
    query_timeout: answersWithinMs,
  });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const standby: Db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  let leftUntil = Number.NEGATIVE_INFINITY;
  let isUsed = true;

  const leaveAlone = (why: string): void => {
    leftUntil = clock.now() + leftAloneMs;
    if (isUsed)
      report(`the standby of DATABASE_READ_URL ${why}: what it would answer is read on the primary`);
    isUsed = false;
  };
  /**
   * The check comes before the transaction, whose snapshot then has at least what was replayed at the check, and on the same
   * connection, because a balancer may stand before several standbys.
   */
  const readOnStandby = <A>(
    position: string | null,
    work: (db: Db) => Promise<A>,
  ): Promise<StandbyAnswer<A>> =>
    standby.connection().execute(async (connection): Promise<StandbyAnswer<A>> => {
      if (!(await isFresh(connection, position))) return { kind: "behind" };
      const answer = await connection.transaction().setIsolationLevel("repeatable read").execute(work);
      return { kind: "answered", answer };
    });

  const welcome = (): void => {
    if (!isUsed) report("the standby of DATABASE_READ_URL answers again");
    isUsed = true;
    onRead("standby");
  };

  return {
    read: async (freshness, work, onPrimary = (run) => run(primary)) => {
      if (clock.now() >= leftUntil) {
        const position = freshness === "now" ? await positionOf(primary) : null;
        const read = await readOnStandby(position, work).catch(toProblem);
        if (read.kind === "answered") {
          welcome();
          return read.answer;
        }
        if (read.kind === "failed") leaveAlone("does not answer");
        // A standby that is only milliseconds behind is no news.
        if (read.kind === "behind" && freshness === "recent") leaveAlone("is behind");
      }
      onRead("primary");
      return onPrimary(work);
    },
    close: () => standby.destroy(),
  };
};
