import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { DatabaseNode, DatabaseNodes } from "./databaseNodes.ts";

/** Writes to every node directly, all the time, to see which ones take writes. */
export interface WriteProbe {
  /** How often a node took a write after a node of a later timeline had taken one. */
  readonly splits: () => number;
  readonly writes: () => number;
  /** Waits for the last answers; returns how many acknowledged writes the primary does not have. */
  readonly stop: () => Promise<number>;
}

const eachMs = 200;
/** A write that waits for a standby which cannot answer waits for ever. */
const answeredWithinMs = 2_000;

interface Write {
  readonly id: string;
  readonly timeline: number;
  readonly at: number;
}

const within = <A>(work: Promise<A>): Promise<A> =>
  Promise.race([
    work,
    sleep(answeredWithinMs, undefined, { ref: false }).then(() => Promise.reject(new Error("no answer"))),
  ]);

/** Writes on one node while it is no standby. */
const writeTo = async (client: pg.Client, id: string): Promise<number | null> => {
  const { rows } = await within(
    client.query<{ is_standby: boolean }>("select pg_is_in_recovery() as is_standby"),
  );
  if (rows[0]?.is_standby !== false) return null;
  const written = await within(
    client.query<{ file: string }>(
      "insert into probe values ($1) returning pg_walfile_name(pg_current_wal_lsn()) as file",
      [id],
    ),
  );
  return Number.parseInt(written.rows[0]?.file.slice(0, 8) ?? "0", 16);
};

/** Starts to write. */
export const startWriteProbe = async ({ nodes, primary }: DatabaseNodes): Promise<WriteProbe> => {
  const onPrimary = async <A>(work: (client: pg.Client) => Promise<A>): Promise<A> => {
    const client = (await primary())?.connect();
    if (client === undefined) throw new Error("there is no primary");
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  await onPrimary((client) => client.query("create table probe (id text primary key)"));

  const writes: Write[] = [];
  let isStopped = false;
  const probe = async (node: DatabaseNode): Promise<void> => {
    let client: pg.Client | null = null;
    for (let n = 0; !isStopped; n += 1) {
      try {
        if (client === null) {
          client = node.connect();
          client.on("error", () => {});
          await within(client.connect());
        }
        const id = `${node.name} ${n}`;
        const timeline = await writeTo(client, id);
        if (timeline !== null) writes.push({ id, timeline, at: performance.now() });
      } catch {
        // A write without an answer is not counted: it may be stored or not.
        client?.end().catch(() => {});
        client = null;
      }
      await sleep(eachMs);
    }
    client?.end().catch(() => {});
  };
  const all = nodes.map(probe);
  return {
    splits: () => {
      let latest = 0;
      let splits = 0;
      for (const { timeline } of writes) {
        if (timeline < latest) splits += 1;
        latest = Math.max(latest, timeline);
      }
      return splits;
    },
    writes: () => writes.length,
    stop: async () => {
      isStopped = true;
      await Promise.all(all);
      const { rows } = await onPrimary((client) => client.query<{ id: string }>("select id from probe"));
      const stored = new Set(rows.map(({ id }) => id));
      return writes.filter(({ id }) => !stored.has(id)).length;
    },
  };
};
