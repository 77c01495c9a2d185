import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../test/server/support/until.ts";
import { sendLoad } from "../mail/load.ts";
import { startOurs, startSink } from "../mail/subject.ts";
import { asStarted } from "./started.ts";

const mails = 50;
const mailBytes = 5_242_880;
const sampleMs = 100;
const givenBackMs = 30_000;

/** The proportional share of a process, in MiB. */
const pssOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1]) / 1_024;

/** Prints what the server takes while it forwards fifty mails of 5 MB that arrive at once, and what it gives back. */
export const measureLargeMails = async (): Promise<void> => {
  const sink = await startSink();
  const { server, port, recipients, stop } = await startOurs(sink.port, {
    name: "Bauta",
    environment: asStarted,
  });
  try {
    const before = pssOf(server.pid);
    let peak = before;
    const sampling = setInterval(() => {
      peak = Math.max(peak, pssOf(server.pid));
    }, sampleMs);
    const load = { size: mailBytes, mails, sessions: mails, keepsConnections: false, recipientsOfMail: 1 };
    const { accepted } = await sendLoad({ port, recipients, ...load });
    await until("every copy has arrived", () => sink.count() >= accepted, 120_000);
    clearInterval(sampling);
    await sleep(givenBackMs);
    const [first, highest, last] = [before, peak, pssOf(server.pid)].map((pss) => pss.toFixed(0));
    console.log(
      `${accepted} of ${mails} mails of 5 MB at once: ${first} MiB before, at most ${highest} MiB, ${last} MiB 30 s later`,
    );
  } finally {
    await stop();
    sink.stop();
  }
};
