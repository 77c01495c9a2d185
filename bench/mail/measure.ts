import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../test/server/support/until.ts";
import { type Load, sendLoad } from "./load.ts";
import type { Sink, Subject } from "./subject.ts";

/** The mails of one measurement. */
export type Case = Pick<Load, "size" | "keepsConnections" | "recipientsOfMail" | "mail"> & {
  readonly mails: number;
};

const wantedCases = (process.env["BENCH_CASES"] ?? "").split(";").filter((name) => name !== "");

/** True if `BENCH_CASES` names the case, or no case at all. */
export const isWanted = (name: string): boolean => wantedCases.length === 0 || wantedCases.includes(name);

export const sessions = 50;
const repeats = 3;
const tickMs = 10;

export interface Measured {
  readonly accepted: number;
  readonly delivered: number;
  readonly cpuMs: number;
  readonly p99: number;
  readonly refused: number;
}

/** Sends the mails and waits until every copy has arrived. */
export const measure = async (subject: Subject, sink: Sink, { mails, ...load }: Case): Promise<Measured> => {
  const { port, recipients } = subject;
  const before = sink.count();
  const ticks = subject.cpuTicks();
  const began = performance.now();
  const result = await sendLoad({ port, recipients, sessions, mails, ...load });
  const copies = result.accepted * load.recipientsOfMail;
  await until(
    () => `${sink.count() - before} of ${copies} copies of ${subject.name} arrive`,
    () => sink.count() >= before + copies,
    120_000,
  );
  const seconds = (performance.now() - began) / 1_000;
  await sleep(300);
  return {
    accepted: result.accepted / result.seconds,
    delivered: result.accepted / seconds,
    cpuMs: ((subject.cpuTicks() - ticks) * tickMs) / result.accepted,
    p99: result.p99,
    refused: result.refused,
  };
};

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const columns = [48, 13, 13, 12, 10, 9];
const line = (cells: readonly string[]): string =>
  cells.map((cell, n) => (n === 0 ? cell.padEnd(columns[n] ?? 0) : cell.padStart(columns[n] ?? 0))).join("");

/** Two subjects to be compared: the figures of the first are given as shares of those of the second. */
export type Pair = readonly [subject: Subject, reference: Subject];

/** Prints a line for each subject and one for each pair. */
const printCase = (
  name: string,
  results: ReadonlyMap<Subject, readonly Measured[]>,
  pairs: readonly Pair[],
): void => {
  console.log(line([name, "accepted/s", "delivered/s", "CPU ms/mail", "p99 ms", "refused"]));
  const medians = new Map(
    [...results].map(([subject, runs]) => {
      const of = (key: keyof Measured): number => median(runs.map((run) => run[key]));
      const row = { accepted: of("accepted"), delivered: of("delivered"), cpuMs: of("cpuMs") };
      console.log(
        line([
          `  ${subject.name}`,
          row.accepted.toFixed(0),
          row.delivered.toFixed(0),
          row.cpuMs.toFixed(2),
          of("p99").toFixed(0),
          String(of("refused")),
        ]),
      );
      return [subject, row];
    }),
  );
  for (const [subject, reference] of pairs) {
    const one = medians.get(subject);
    const other = medians.get(reference);
    if (!one || !other) continue;
    const shares = [one.accepted / other.accepted, one.delivered / other.delivered, one.cpuMs / other.cpuMs];
    console.log(line([`  ${subject.name} / ${reference.name}`, ...shares.map((share) => share.toFixed(2))]));
  }
};

/**
 * Measures all subjects in turn with one next hop, so that the machine's mood meets each of them: prints the medians of
 * three runs, after one turn that does not count. Each run follows one that does not count either, because V8 drops
 * most of its compiled code while others have their turn. Unless `pairs` are given, all are compared with the first.
 */
export const compare = async (
  name: string,
  one: Case,
  subjects: readonly Subject[],
  sink: Sink,
  pairs: readonly Pair[] = subjects.flatMap((subject, n) =>
    n > 0 && subjects[0] ? [[subject, subjects[0]]] : [],
  ),
): Promise<void> => {
  const results = new Map<Subject, Measured[]>(subjects.map((subject) => [subject, []]));
  for (let n = 0; n <= repeats; n += 1)
    for (const [subject, runs] of results) {
      await measure(subject, sink, one);
      const measured = await measure(subject, sink, one);
      if (n > 0) runs.push(measured);
    }
  printCase(name, results, pairs);
};
