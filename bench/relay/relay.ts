import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startOurs } from "./ours.ts";
import { startPeer } from "./peer.ts";
import { createLoad, openSender } from "./sender.ts";
import type { Subject } from "./subject.ts";

interface Case {
  readonly connections: number;
  /** Bytes. */
  readonly size: number;
  readonly mails: number;
}

const cases: readonly Case[] = [
  { connections: 1, size: 5_000, mails: 500 },
  { connections: 10, size: 5_000, mails: 2_000 },
  { connections: 100, size: 5_000, mails: 4_000 },
  { connections: 10, size: 50_000, mails: 1_000 },
  { connections: 10, size: 500_000, mails: 200 },
  { connections: 2, size: 5_000_000, mails: 20 },
];

interface Measured {
  readonly mailsASecond: number;
  readonly mailsACommit: number;
  /** The median time until the 250 answer, in ms. */
  readonly median: number;
  /** The 99th percentile, in ms. */
  readonly p99: number;
}

const measure = async (subject: Subject, { connections, size, mails }: Case): Promise<Measured> => {
  const load = createLoad(subject.recipient, size);
  const senders = await Promise.all(
    Array.from({ length: connections }, () => openSender(subject.port, load)),
  );
  const waits: number[] = [];
  let left = mails;
  const commits = subject.commits();
  const began = performance.now();
  await Promise.all(
    senders.map(async ({ send }) => {
      while (left > 0) {
        left -= 1;
        const before = performance.now();
        await send();
        waits.push(performance.now() - before);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  for (const { close } of senders) close();
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return {
    mailsASecond: mails / seconds,
    mailsACommit: mails / (subject.commits() - commits),
    median: at(0.5),
    p99: at(0.99),
  };
};

const columns = [32, 12, 10, 9, 13, 11, 9];

const line = (cells: readonly (string | number)[]): string =>
  cells
    .map((cell, index) => {
      const width = columns[index] ?? 0;
      return index === 0 ? String(cell).padEnd(width) : String(cell).padStart(width);
    })
    .join("");

/** Measures the mails accepted per second, beside a bare server that syncs a file for each; prints a table. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "bauta-bench-"));
  const subjects = [
    await startOurs(join(folder, "ours"), 0),
    await startOurs(join(folder, "ruled"), 10),
    await startPeer(join(folder, "peer")),
  ];
  try {
    console.log("Mails accepted over SMTP, each synced to disk before its 250");
    console.log(line(["", "connections", "bytes", "mails/s", "mails/commit", "median ms", "p99 ms"]));
    for (const subject of subjects) await measure(subject, { connections: 10, size: 5_000, mails: 500 });
    for (const one of cases)
      for (const subject of subjects) {
        const { mailsASecond, mailsACommit, median, p99 } = await measure(subject, one);
        const numbers = [mailsASecond.toFixed(0), mailsACommit.toFixed(1), median.toFixed(1), p99.toFixed(1)];
        console.log(line([subject.name, one.connections, one.size, ...numbers]));
      }
  } finally {
    for (const subject of subjects) await subject.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
