import { copyFileSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Sink, startSink } from "../../test/server/support/sink.ts";
import { until } from "../../test/server/support/until.ts";
import { quickFolder } from "../../test/support/quickFolder.ts";
import { type ClusterLoad, startClusterLoad } from "./clusterLoad.ts";
import { type ClusterUser, enterCluster } from "./clusterUser.ts";
import { findPrograms } from "./programs.ts";
import { type Cluster, startCluster } from "./startCluster.ts";
import { startWriteProbe } from "./writeProbe.ts";

const faultsEach = Number(process.env["CLUSTER_KILLS"] ?? 20);
/** A part of the names of the faults to measure; all without it. */
const wanted = process.env["CLUSTER_FAULTS"] ?? "";
/** How long a fault is watched before mail is expected to flow again. */
const watchedMs = 8_000;
const flowsAgainMs = 120_000;
const acceptedAfter = 20;
/** The promise: mail is accepted again within this time. */
const withinMs = 15_000;

/** Causes a fault; returns what mends it once mail flows again. */
type Fault = (cluster: Cluster, n: number) => Promise<() => void>;

const onPrimary = async ({ databases }: Cluster): Promise<number> => {
  const primary = await databases.primary();
  if (primary === undefined) throw new Error("there is no primary");
  return databases.nodes.indexOf(primary);
};

const faults: readonly { readonly name: string; readonly cause: Fault }[] = [
  {
    name: "the primary dies",
    cause: async (cluster) => {
      const node = cluster.databases.nodes[await onPrimary(cluster)];
      node?.kill();
      return () => node?.start();
    },
  },
  {
    name: "a Bauta process dies",
    cause: async ({ processes }, n) => {
      processes[n % processes.length]?.kill();
      return () => {};
    },
  },
  {
    name: "HAProxy dies",
    cause: async ({ balancer }) => {
      balancer.kill();
      return () => {};
    },
  },
  {
    name: "a member of etcd dies",
    cause: async ({ databases: { nodes } }, n) => {
      nodes[n % nodes.length]?.etcd.kill();
      return () => {};
    },
  },
  {
    name: "the primary is cut off",
    cause: async (cluster) => cluster.databases.network.cutOff?.(await onPrimary(cluster)) ?? (() => {}),
  },
];

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const seconds = (ms: number): string => (ms / 1_000).toFixed(1);

/** How often each load mail has arrived. */
const copiesOf = (sink: Sink): ReadonlyMap<string, number> => {
  const copies = new Map<string, number>();
  for (const { content } of sink.mails) {
    const subject = /^Subject: (Mail load-\d+)/m.exec(content.toString())?.[1];
    if (subject !== undefined) copies.set(subject, (copies.get(subject) ?? 0) + 1);
  }
  return copies;
};

const extraCopies = (sink: Sink): number =>
  [...copiesOf(sink).values()].reduce((sum, copies) => sum + copies - 1, 0);

interface Measured {
  readonly gaps: readonly number[];
  readonly sockets: readonly number[];
}

const measure = async (
  cluster: Cluster,
  load: ClusterLoad,
  user: ClusterUser,
  cause: Fault,
): Promise<Measured> => {
  const [gaps, sockets]: [number[], number[]] = [[], []];
  for (let n = 0; n < faultsEach; n += 1) {
    await cluster.databases.untilWhole();
    await user.socketsBack();
    const began = performance.now();
    const mend = await cause(cluster, n);
    await sleep(watchedMs);
    const before = load.accepted.size;
    await until("mail is accepted again", () => load.accepted.size >= before + acceptedAfter, flowsAgainMs);
    gaps.push(load.longestGap(began));
    sockets.push(await user.socketsBack());
    mend();
  }
  await cluster.databases.untilWhole();
  return { gaps, sockets };
};

/** Waits until every accepted mail has arrived, as long as any still arrives; returns how many have not. */
const lostMails = async ({ accepted }: ClusterLoad, sink: Sink): Promise<number> => {
  const missing = (): number => {
    const arrived = copiesOf(sink);
    return [...accepted.keys()].filter((subject) => !arrived.has(subject)).length;
  };
  // A killed process leaves leases that end after 40 s, and what was tried in vain waits longer.
  for (let quietMs = 0, count = sink.mails.length; missing() > 0 && quietMs < 180_000; quietMs += 1_000) {
    await sleep(1_000);
    if (sink.mails.length > count) quietMs = 0;
    count = sink.mails.length;
  }
  return missing();
};

/** Copies the logs to where they stay; returns the folder. */
const keepLogs = ({ folder }: Cluster): string => {
  const kept = mkdtempSync(join(tmpdir(), "bauta-cluster-logs-"));
  for (const name of readdirSync(folder).filter((one) => one.endsWith(".log")))
    copyFileSync(join(folder, name), join(kept, name));
  return kept;
};

const row = (cells: readonly string[]): string =>
  cells.map((cell, n) => (n === 0 ? cell.padEnd(24) : cell.padStart(16))).join("");

/**
 * Sends mail through a whole cluster on this machine, and kills or cuts off a part of it CLUSTER_KILLS times (20) for each kind
 * of fault. Prints what was lost (nothing may be), the extra copies, how long no mail was accepted (at most 15 s) and how long a
 * socket was gone; and whether two primaries ever took writes. As root, the nodes have networks of their own, which it cuts.
 */
export const run = async (): Promise<void> => {
  const programs = findPrograms();
  if ("missing" in programs)
    return console.log(`The cluster is not measured: ${programs.missing.join(", ")} is missing.`);
  const sink = await startSink();
  const cluster = await startCluster({
    programs,
    place: quickFolder,
    settings: {
      NEXT_HOP: `smtp://127.0.0.1:${sink.port}`,
      DNS_SERVER: "127.0.0.1:9",
      SENDER_MAILS_PER_MINUTE: "1000000",
      SENDER_MAILS_PER_HOUR: "1000000",
      LOG_LEVEL: "warn",
    },
  });
  // Nothing of it may go on when the bench is ended.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void cluster.stop().finally(() => process.exit(1)));
  try {
    const user = await enterCluster(cluster.url, sink);
    const probe = await startWriteProbe(cluster.databases);
    const load = startClusterLoad(cluster.smtpPort, user.mask);
    await until("mail is accepted", () => load.accepted.size >= acceptedAfter, flowsAgainMs);
    console.log(row(["", "no mail, median", "longest", "socket gone", "extra copies"]));
    for (const { name, cause } of faults.filter((fault) => fault.name.includes(wanted))) {
      if (name.includes("cut off") && cluster.databases.network.cutOff === null) {
        console.log(row([name, "not measured: only root can cut a network"]));
        continue;
      }
      const copiesBefore = extraCopies(sink);
      const { gaps, sockets } = await measure(cluster, load, user, cause);
      const longest = Math.max(...gaps);
      console.log(
        row([
          name,
          `${seconds(median(gaps))} s`,
          `${seconds(longest)} s${longest > withinMs ? " !" : ""}`,
          `${seconds(Math.max(...sockets))} s`,
          `${((extraCopies(sink) - copiesBefore) / faultsEach).toFixed(1)} a fault`,
        ]),
      );
    }
    await load.stop();
    const lost = await lostMails(load, sink);
    const unwritten = await probe.stop();
    user.leave();
    console.log(`
${load.accepted.size} mails accepted: ${lost} lost (0 expected), ${extraCopies(sink)} extra copies, ${load.refused.length} refused with 5xx (0 expected)
${probe.writes()} writes to all nodes: ${probe.splits()} by an earlier primary after a later one (0 expected), ${unwritten} lost (0 expected)`);
  } catch (error) {
    console.error(`The logs are in ${keepLogs(cluster)}.`);
    throw error;
  } finally {
    await cluster.stop();
    await sink.close();
  }
  return undefined;
};
