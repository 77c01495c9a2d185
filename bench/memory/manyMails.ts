import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sendLoad } from "../mail/load.ts";
import { sessions } from "../mail/measure.ts";
import { startOurs, startSink } from "../mail/subject.ts";
import { asStarted } from "./started.ts";

const batches = 10;
const mailsOfBatch = 5_000;
const size = 10_240;
const settledMs = 10_000;

const privateMegabytes = (pid: number): number => {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss_Anon:\s+(\d+)/m.exec(rollup)?.[1]) / 1_024;
};

/** Prints the memory that only the server has, 10 s after each 5,000 of 50,000 mails of 10 kB. */
export const measureManyMails = async (): Promise<void> => {
  const sink = await startSink();
  const subject = await startOurs(sink.port, {
    name: "many mails",
    environment: asStarted,
  });
  try {
    for (let batch = 1; batch <= batches; batch += 1) {
      const { port, recipients } = subject;
      await sendLoad({
        port,
        recipients,
        sessions,
        mails: mailsOfBatch,
        size,
        keepsConnections: false,
        recipientsOfMail: 1,
      });
      await sleep(settledMs);
      const mails = String(batch * mailsOfBatch).padStart(6);
      console.log(`after ${mails} mails: ${privateMegabytes(subject.server.pid).toFixed(0)} MiB`);
    }
  } finally {
    await subject.stop();
    sink.stop();
  }
};
