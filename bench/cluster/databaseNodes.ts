import { randomBytes } from "node:crypto";
import { chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { freePort } from "../../test/support/freePort.ts";
import { unprivileged } from "../../test/support/postgresqlServer.ts";
import { createNetwork, type Network } from "./network.ts";
import type { ClusterPrograms } from "./programs.ts";
import { type Supervised, supervise } from "./supervised.ts";

const nodeCount = 3;
const startsWithinMs = 120_000;
/** A node that does not answer in this time does not live. */
const answersWithinMs = 3_000;
/** How long the nodes must stay whole to count as such. */
const steadyMs = 3_000;
const patroniFile = join(import.meta.dirname, "../../deploy/cluster/patroni.yml");

/** One PostgreSQL under Patroni, with a member of etcd beside it. */
export interface DatabaseNode {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** The port of Patroni's REST API. */
  readonly checkPort: number;
  /** Connects to this node itself, also while it is cut off. */
  readonly connect: () => pg.Client;
  readonly etcd: Supervised;
  /** Ends Patroni and PostgreSQL at once, as when a machine dies. */
  readonly kill: () => void;
  /** Starts Patroni, which starts PostgreSQL. */
  readonly start: () => void;
}

export interface DatabaseNodes {
  readonly nodes: readonly DatabaseNode[];
  readonly network: Network;
  readonly password: string;
  /** The node whose PostgreSQL takes writes, of the latest timeline; undefined while none does. */
  readonly primary: () => Promise<DatabaseNode | undefined>;
  /** Waits until there are a primary and two standbys, one of them synchronous. */
  readonly untilWhole: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

interface Ports {
  readonly client: number;
  readonly peer: number;
  readonly rest: number;
  readonly sql: number;
}

const choosePorts = async (): Promise<Ports> => ({
  client: await freePort(),
  peer: await freePort(),
  rest: await freePort(),
  sql: await freePort(),
});

const endPostmaster = (data: string): void => {
  try {
    process.kill(Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL");
  } catch {
    // It does not run.
  }
};

/** What a PostgreSQL that takes writes says of itself. */
interface PrimaryState {
  readonly timeline: number;
  /** How many standbys follow it without a gap, and how many of these synchronously. */
  readonly standbys: number;
  readonly synchronous: number;
}

/** Asks the PostgreSQL of a node; null for a standby, and while it does not answer. */
const readState = async (node: DatabaseNode): Promise<PrimaryState | null> => {
  const client = node.connect();
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query<PrimaryState>(
      `select ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int as timeline,
        count(*)::int as standbys, (count(*) filter (where sync_state = 'sync'))::int as synchronous
      from pg_stat_replication where state = 'streaming' and pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) < 1e6`,
    );
    return rows[0] ?? null;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => {});
  }
};

/** Starts three nodes; `folder` has their data and logs. */
export const startDatabaseNodes = async (
  programs: ClusterPrograms,
  folder: string,
): Promise<DatabaseNodes> => {
  const network = createNetwork(nodeCount);
  const [password, replication, rewind] = [1, 2, 3].map(() => randomBytes(16).toString("hex"));
  const all = await Promise.all(Array.from({ length: nodeCount }, () => choosePorts()));
  const clients = all.map(({ client }, n) => `${network.address(n)}:${client}`);
  const peers = all.map(({ peer }, n) => `node${n + 1}=http://${network.address(n)}:${peer}`);

  const prepare = (ports: Ports, n: number): DatabaseNode & { readonly patroni: Supervised } => {
    const name = `node${n + 1}`;
    const host = network.address(n);
    const own = join(folder, name);
    const data = join(own, "data");
    const socketFolder = own;
    const settings = join(own, "patroni");
    for (const path of [own, settings]) mkdirSync(path, { mode: 0o700 });
    copyFileSync(patroniFile, join(settings, "1.yml"));
    const ofNode = { postgresql: { parameters: { unix_socket_directories: socketFolder } } };
    writeFileSync(join(settings, "2.yml"), JSON.stringify(ofNode));
    const { uid, gid } = unprivileged();
    if (uid !== undefined && gid !== undefined)
      for (const path of [own, settings, join(settings, "1.yml"), join(settings, "2.yml")])
        chownSync(path, uid, gid);
    const client = `http://${host}:${ports.client}`;
    const etcd = supervise({
      words: [
        ...network.within(n),
        programs.etcd,
        ...["--name", name, "--data-dir", join(own, "etcd"), "--initial-cluster-token", "bauta"],
        ...["--listen-client-urls", client, "--advertise-client-urls", client],
        ...["--listen-peer-urls", `http://${host}:${ports.peer}`],
        ...["--initial-advertise-peer-urls", `http://${host}:${ports.peer}`],
        ...["--initial-cluster", peers.join(","), "--initial-cluster-state", "new"],
        "--enable-v2",
      ],
      environment: {},
      folder: own,
      log: join(folder, `${name}-etcd.log`),
      againAfterMs: 3_000,
    });
    const patroni = supervise({
      words: [...network.within(n), programs.patroni, settings],
      environment: {
        PATRONI_NAME: name,
        PATRONI_RESTAPI_LISTEN: `${host}:${ports.rest}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `${host}:${ports.rest}`,
        PATRONI_ETCD_HOSTS: clients.join(","),
        PATRONI_POSTGRESQL_LISTEN: `${host}:${ports.sql}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${host}:${ports.sql}`,
        PATRONI_POSTGRESQL_DATA_DIR: data,
        PATRONI_POSTGRESQL_BIN_DIR: programs.postgresql,
        PATRONI_POSTGRESQL_PGPASS: join(own, "pgpass"),
        PATRONI_SUPERUSER_USERNAME: "postgres",
        PATRONI_SUPERUSER_PASSWORD: password,
        PATRONI_REPLICATION_USERNAME: "replicator",
        PATRONI_REPLICATION_PASSWORD: replication,
        PATRONI_REWIND_USERNAME: "rewinder",
        PATRONI_REWIND_PASSWORD: rewind,
        PGHOST: socketFolder,
        HOME: own,
      },
      folder: own,
      log: join(folder, `${name}-patroni.log`),
      againAfterMs: null,
    });
    return {
      name,
      host,
      port: ports.sql,
      checkPort: ports.rest,
      connect: () =>
        new pg.Client({
          host: socketFolder,
          port: ports.sql,
          user: "postgres",
          password: password ?? "",
          connectionTimeoutMillis: answersWithinMs,
          query_timeout: answersWithinMs,
        }),
      etcd,
      patroni,
      kill: () => {
        patroni.kill();
        endPostmaster(data);
      },
      start: patroni.start,
    };
  };
  const nodes = all.map(prepare);
  for (const { etcd } of nodes) etcd.start();
  for (const { start } of nodes) start();

  const untilHolds = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
    const end = performance.now() + startsWithinMs;
    for (let since = Number.POSITIVE_INFINITY; performance.now() - since < steadyMs; ) {
      if (!(await holds())) since = Number.POSITIVE_INFINITY;
      else if (since === Number.POSITIVE_INFINITY) since = performance.now();
      if (performance.now() > end) throw new Error(`${what} not within ${startsWithinMs} ms`);
      await sleep(250);
    }
  };
  const primary = async (): Promise<DatabaseNode | undefined> => {
    const states = await Promise.all(nodes.map(readState));
    const timelines = states.map((state) => state?.timeline ?? 0);
    const latest = Math.max(...timelines);
    return latest === 0 ? undefined : nodes[timelines.indexOf(latest)];
  };
  return {
    nodes,
    network,
    password: password ?? "",
    primary,
    untilWhole: () =>
      untilHolds("two standbys follow a primary:", async () => {
        const node = await primary();
        const state = node && (await readState(node));
        return state?.standbys === nodeCount - 1 && state.synchronous > 0;
      }),
    stop: async () => {
      await Promise.all(nodes.map(({ patroni }) => patroni.stop()));
      for (const node of nodes) node.kill();
      await Promise.all(nodes.map(({ etcd }) => etcd.stop()));
      network.remove();
    },
  };
};
