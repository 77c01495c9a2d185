import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hourMs } from "../../core/kernel/durations.ts";
import { openDatabase } from "../../server/platform/store/database.ts";
import { sqliteEngine } from "../../server/platform/store/sqlite.ts";
import { freePort } from "../../test/support/freePort.ts";
import { sendLoad } from "../mail/load.ts";
import { type Case, measure } from "../mail/measure.ts";
import { restart, startOurs, startSink } from "../mail/subject.ts";

const waitingMails = 100_000;
const one: Case = { size: 10_240, mails: 1_500, keepsConnections: false, recipientsOfMail: 1 };

/** Lets all mails wait for another hour, so that they are not delivered while new ones are measured. */
const postponeAll = async (dataDir: string): Promise<void> => {
  const database = await openDatabase(sqliteEngine(join(dataDir, "bauta.db")));
  await database.db
    .updateTable("queue")
    .set({ next_attempt_at: Date.now() + hourMs })
    .execute();
  await database.close();
};

/** The memory of a process that is its own, in MiB (PSS). */
const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1_024;

/**
 * Prints how long a start takes, how much memory is used, and how fast new mail passes, with an empty queue and with
 * 100,000 mails that wait for a next hop that was away.
 */
export const measureWaiting = async (): Promise<void> => {
  const sink = await startSink();
  const away = await freePort();
  const empty = await startOurs(sink.port, { name: "empty queue" });
  const full = await startOurs(away, { name: "100,000 waiting" });
  const sinks = [sink];
  try {
    const load = { size: 2_048, sessions: 50, keepsConnections: true, recipientsOfMail: 1 };
    const { port, recipients } = full;
    const { accepted, seconds } = await sendLoad({ ...load, port, recipients, mails: waitingMails });
    console.log(
      `${accepted} mails accepted while the next hop is away, ${(accepted / seconds).toFixed(0)} a second`,
    );
    await full.server.stop();
    await postponeAll(full.server.dataDir);
    sinks.push(await startSink(away));
    for (const [n, subject] of [empty, full].entries()) {
      await subject.server.stop();
      const began = performance.now();
      const started = await restart(subject);
      const ready = performance.now() - began;
      const memory = memoryOf(started.server.pid);
      const rates: number[] = [];
      for (let run = 0; run < 4; run += 1)
        rates.push((await measure(started, sinks[n] ?? sink, one)).accepted);
      const rate = rates.slice(1).toSorted((a, b) => a - b)[1] ?? Number.NaN;
      console.log(
        `  ${subject.name}: ready after ${ready.toFixed(0)} ms, ${memory.toFixed(0)} MiB, ${rate.toFixed(0)} new mails a second`,
      );
      await started.server.stop();
    }
  } finally {
    for (const { server } of [empty, full]) {
      await server.stop();
      await server.removeData();
    }
    for (const { stop } of sinks) stop();
  }
};
