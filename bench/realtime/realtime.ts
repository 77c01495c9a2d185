import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { seat } from "./audience.ts";
import { startOurs } from "./ours.ts";
import { startPeer } from "./peer.ts";
import type { Subject } from "./subject.ts";

const sockets = 1_000;
const rounds = 30;
const warmUps = 5;

interface Measured {
  /** How long a socket waited, in ms: the median, the 99th percentile and the longest. */
  readonly median: number;
  readonly p99: number;
  readonly last: number;
}

const measure = async (subject: Subject): Promise<Measured> => {
  const audience = await seat(subject.places);
  // By then the first messages have arrived and the cost of opening is over.
  await setTimeout(1_000);
  const waits: number[] = [];
  for (let round = 0; round < warmUps + rounds; round++) {
    const name = `round ${round}.`;
    const hearing = audience.hears(name);
    await subject.happen(name);
    const received = await hearing;
    if (round >= warmUps) waits.push(...received);
  }
  audience.leave();
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { median: at(0.5), p99: at(0.99), last: at(1) };
};

const line = (cells: readonly string[]): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(48) : cell.padStart(12))).join("");

/** Measures how long 1,000 sockets wait for an event, beside a bare broadcast; prints a table. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-bench-"));
  const starts: readonly (() => Promise<Subject>)[] = [
    () => startOurs(join(folder, "one"), 1, sockets),
    () => startOurs(join(folder, "many"), sockets / 10, sockets),
    () => startPeer(sockets),
  ];
  console.log(`One event to ${sockets} sockets in the same process, ${rounds} times`);
  console.log(line(["", "median ms", "p99 ms", "last ms"]));
  try {
    for (const start of starts) {
      const subject = await start();
      const { median, p99, last } = await measure(subject);
      console.log(line([subject.name, ...[median, p99, last].map((ms) => ms.toFixed(1))]));
      await subject.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
