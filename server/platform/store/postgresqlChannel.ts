import pg from "pg";
import type { Random } from "../../../core/ports/random.ts";
import type { Channel } from "./engine.ts";
import { pollEachMs } from "./eventFeed.ts";

const channelName = "bauta_events";
const reconnectAfterMs = 1_000;
/** A payload has less than 8,000 bytes; an id has 20. */
const usersPerPayload = 300;
/** Begins what a process sends to itself, which names no user. */
const markStart = "mark ";
/** The time that a NOTIFY of this process may take to come back to it. */
const heardWithinMs = 2_000;
/** A pooler in front, or another kind of database, does not begin to pass on NOTIFY soon. */
const listenAgainAfterMs = 60_000;

/** The dependencies of the channel between the processes. */
export interface ChannelDeps {
  /** The server itself: a pooler gives the connection that listens to others after each transaction. */
  readonly directUrl: string;
  readonly pool: Pick<pg.Pool, "query">;
  /** True if the processes use NOTIFY at all. */
  readonly notifies: boolean;
  readonly random: Pick<Random, "fraction">;
  /** Takes a line for the operator. */
  readonly report: (line: string) => void;
}

type OnAnnounced = (userIds: readonly string[] | null) => void;

/** Returns the users of a payload; null for an empty one, as an earlier version sends it. */
const usersOf = (payload: string | undefined): readonly string[] | null =>
  payload ? payload.split(" ") : null;

interface Listening {
  /** True once a NOTIFY of this process has come back on the present connection. */
  readonly hears: () => boolean;
  readonly stop: () => void;
}

/** Listens on a connection of its own, and again when it is lost. */
const listenTo = (
  { directUrl, pool, random }: ChannelDeps,
  onAnnounced: OnAnnounced,
  onDeaf: () => void,
): Listening => {
  let client: pg.Client | null = null;
  let timeout: NodeJS.Timeout | undefined;
  let isStopped = false;
  let hears = false;

  const connect = (): void => {
    const created = new pg.Client({ connectionString: directUrl, keepAlive: true });
    client = created;
    const mark = `${markStart}${random.fraction()}`;
    let isOver = false;
    const again = (afterMs: number): void => {
      if (isOver || isStopped) return;
      isOver = true;
      hears = false;
      created.end().catch(() => {});
      clearTimeout(timeout);
      timeout = setTimeout(connect, afterMs);
    };
    const reconnect = (): void => again(reconnectAfterMs);
    const giveUp = (): void => {
      if (isOver || isStopped) return;
      again(listenAgainAfterMs);
      onDeaf();
    };
    const listen = async (): Promise<void> => {
      await created.connect();
      try {
        await created.query(`listen ${channelName}`);
      } catch (error) {
        // The database has answered that it does not know it.
        if (error instanceof pg.DatabaseError && /^(?:0A|42)/.test(error.code ?? "")) return giveUp();
        throw error;
      }
      if (isOver || isStopped) return undefined;
      timeout = setTimeout(giveUp, heardWithinMs);
      // Reads what was announced before this process listened.
      onAnnounced(null);
      await pool.query("select pg_notify($1, $2)", [channelName, mark]).catch(reconnect);
      return undefined;
    };
    created.on("error", reconnect);
    created.on("end", reconnect);
    created.on("notification", ({ payload }) => {
      if (payload === mark) {
        clearTimeout(timeout);
        hears = true;
      } else if (!payload?.startsWith(markStart)) onAnnounced(usersOf(payload));
    });
    listen().catch(reconnect);
  };
  connect();
  return {
    hears: () => hears,
    stop: () => {
      isStopped = true;
      clearTimeout(timeout);
      client?.end().catch(() => {});
    },
  };
};

/**
 * Connects processes on one PostgreSQL by NOTIFY, which carries the users, so that a process reads nothing of users who
 * are not connected to it. Announcements are sent after the commit and combined, because
 * PostgreSQL lets only one transaction with NOTIFY commit at a time. Where no NOTIFY comes back, announcements reach
 * the listeners of this process, and other processes find the changes when they poll.
 */
export const createPostgresqlChannel = (deps: ChannelDeps): Channel => {
  const { pool, notifies, report } = deps;
  const changed = new Set<string>();
  const listeners = new Set<{ readonly onAnnounced: OnAnnounced; readonly listening: Listening | null }>();
  let isSending = false;
  let hasReported = false;

  const reportDeaf = (): void => {
    if (hasReported) return;
    hasReported = true;
    report(
      `NOTIFY of PostgreSQL does not come back: changes are read every ${pollEachMs} ms; DATABASE_DIRECT_URL names the server behind a pooler`,
    );
  };

  const send = async (): Promise<void> => {
    isSending = true;
    while (changed.size > 0) {
      const users = [...changed].slice(0, usersPerPayload);
      for (const userId of users) changed.delete(userId);
      for (const { onAnnounced, listening } of listeners) if (!listening?.hears()) onAnnounced(users);
      // A process that misses an announcement reads at its next poll.
      if (notifies)
        await pool.query("select pg_notify($1, $2)", [channelName, users.join(" ")]).catch(() => {});
    }
    isSending = false;
  };

  return {
    changed,
    announce: () => {
      if (!isSending) void send();
    },
    listen: (onAnnounced) => {
      const listening = notifies ? listenTo(deps, onAnnounced, reportDeaf) : null;
      const listener = { onAnnounced, listening };
      listeners.add(listener);
      if (listening === null) onAnnounced(null);
      return () => {
        listeners.delete(listener);
        listening?.stop();
      };
    },
  };
};
