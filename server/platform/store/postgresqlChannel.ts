import pg from "pg";
import type { Channel } from "./engine.ts";

const channelName = "bauta_events";
const reconnectAfterMs = 1_000;
/** A payload has less than 8,000 bytes; an id has 20. */
const usersPerPayload = 300;

/** Returns the users of a payload; null for an empty one, as an earlier version sends it. */
const usersOf = (payload: string | undefined): readonly string[] | null =>
  payload ? payload.split(" ") : null;

/**
 * Connects processes on one PostgreSQL by NOTIFY, which carries the users, so that a process reads nothing of users who
 * are not connected to it. Announcements are sent after the commit and combined, because
 * PostgreSQL lets only one transaction with NOTIFY commit at a time.
 */
export const createPostgresqlChannel = (url: string, pool: Pick<pg.Pool, "query">): Channel => {
  const changed = new Set<string>();
  let isSending = false;

  const send = async (): Promise<void> => {
    isSending = true;
    while (changed.size > 0) {
      const users = [...changed].slice(0, usersPerPayload);
      for (const userId of users) changed.delete(userId);
      // A process that misses an announcement reads at its next poll.
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
      let client: pg.Client | null = null;
      let retry: NodeJS.Timeout | undefined;
      let isStopped = false;

      const connect = (): void => {
        const created = new pg.Client({ connectionString: url, keepAlive: true });
        client = created;
        let isOver = false;
        const reconnect = (): void => {
          if (isOver || isStopped) return;
          isOver = true;
          created.end().catch(() => {});
          retry = setTimeout(connect, reconnectAfterMs);
        };
        created.on("error", reconnect);
        created.on("end", reconnect);
        created.on("notification", ({ payload }) => onAnnounced(usersOf(payload)));
        created
          .connect()
          .then(() => created.query(`listen ${channelName}`))
          // Reads what was announced before this process listened.
          .then(() => onAnnounced(null))
          .catch(reconnect);
      };
      connect();
      return () => {
        isStopped = true;
        clearTimeout(retry);
        client?.end().catch(() => {});
      };
    },
  };
};
