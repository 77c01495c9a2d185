import { setTimeout as sleep } from "node:timers/promises";
import { normalizeLineEndings } from "../../server/smtp/lineEndings.ts";
import { hostileShapes, usualShapes } from "../../test/server/hostile/shapes.ts";
import { exchange } from "../http.ts";
import { sendLoad } from "../mail/load.ts";
import { startOurs, startSink } from "../mail/subject.ts";

const maxAnswerMs = 1_000;
const pauseMs = 20;
const kilobyte = 1_024;

/** Places of a mail in which a stranger can put a text, with its size. */
const places: Readonly<Record<string, readonly [bytes: number, write: (text: string) => string]>> = {
  "DKIM-Signature": [
    240 * kilobyte,
    (text) => `DKIM-Signature: ${text}\r\nFrom: a@shop.example\r\n\r\nx\r\n`,
  ],
  "ARC-Seal": [240 * kilobyte, (text) => `ARC-Seal: ${text}\r\nFrom: a@shop.example\r\n\r\nx\r\n`],
  From: [400 * kilobyte, (text) => `From: ${text}\r\n\r\nx\r\n`],
  Subject: [400 * kilobyte, (text) => `From: a@shop.example\r\nSubject: ${text}\r\n\r\nx\r\n`],
  HTML: [900 * kilobyte, (text) => `From: a@shop.example\r\nContent-Type: text/html\r\n\r\n${text}\r\n`],
  parts: [
    900 * kilobyte,
    (text) => `From: a@shop.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${text}\r\n`,
  ],
};

/** A line of a dot alone would end the mail. */
const asSent = (text: string): Buffer =>
  Buffer.from(
    normalizeLineEndings(Buffer.from(`${text}\r\n`))
      .toString("latin1")
      .replaceAll("\r\n.", "\r\n.."),
    "latin1",
  );

/**
 * Sends a running server hostile mails, to its postmaster and to a mask, and asks `/healthz` meanwhile: prints the slowest
 * answer for each place of a mail, which is to stay below a second.
 */
export const run = async (): Promise<void> => {
  const sink = await startSink();
  const subject = await startOurs(sink.port, {
    name: "Bauta",
    environment: { POSTMASTER: "operator@home.example" },
  });
  let slowest = 0;
  let isOver = false;
  const ask = async (): Promise<void> => {
    while (!isOver) {
      const began = performance.now();
      await exchange({ url: `${subject.server.url}/healthz` });
      slowest = Math.max(slowest, performance.now() - began);
      await sleep(pauseMs);
    }
  };
  const asking = ask();
  const recipients = ["postmaster@masks.localhost", ...subject.recipients.slice(0, 1)];
  try {
    for (const [place, [bytes, write]] of Object.entries(places)) {
      let worst = 0;
      let worstShape = "";
      for (const shape of usualShapes) {
        slowest = 0;
        const mail = asSent(write(hostileShapes.get(shape)?.(bytes) ?? ""));
        const load = { port: subject.port, recipients, mails: 2, sessions: 2, size: 0, mail };
        await sendLoad({ ...load, keepsConnections: false, recipientsOfMail: 1 });
        await sleep(2 * pauseMs);
        if (slowest > worst) [worst, worstShape] = [slowest, shape];
      }
      const verdict = worst <= maxAnswerMs ? "" : `  above ${maxAnswerMs} ms`;
      console.log(
        `${place.padEnd(16)} slowest answer ${worst.toFixed(0).padStart(6)} ms (${worstShape})${verdict}`,
      );
    }
  } finally {
    isOver = true;
    await asking.catch(() => {});
    await subject.stop();
    sink.stop();
  }
};
