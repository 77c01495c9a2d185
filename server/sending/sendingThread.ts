import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createNextHopTransport } from "../delivery/nextHopTransport.ts";
import type { Transport } from "../delivery/transport.ts";
import { createSigningTransport } from "../proof/signingTransport.ts";
import { createSignMail } from "../proof/signMail.ts";
import type { SendingOptions, SendRequest, SentBatch } from "./sendingMessages.ts";

/** Priority below that of the thread that answers clients: to receive mail goes before sending it. */
const niceness = 5;
if (process.platform === "linux") setPriority(0, niceness);

const { nextHop, name, connections, signs } = workerData as SendingOptions;
let keys: SendRequest["keys"] = [];
let sent: SentBatch["outcomes"][number][] = [];
let failures: unknown[] = [];

/** Answers in one message for all that is sent within a turn of the event loop. */
const postLater = (): void => {
  if (sent.length + failures.length > 1) return;
  setImmediate(() => {
    parentPort?.postMessage({ outcomes: sent, failures } satisfies SentBatch);
    [sent, failures] = [[], []];
  });
};

const toNextHop = createNextHopTransport(nextHop, name, connections);
const transport: Transport = signs
  ? createSigningTransport(
      toNextHop,
      createSignMail({ domain: name, activeKeys: async () => keys ?? [], clock: Date }),
      (error) => {
        failures.push(error);
        postLater();
      },
    )
  : toNextHop;

const sendAll = ({ mails, bytes, keys: changed }: SendRequest): void => {
  keys = changed ?? keys;
  for (const { number, start, ...mail } of mails) {
    const content = Buffer.from(bytes.buffer, bytes.byteOffset + start, mail.size);
    void transport.send({ ...mail, chunks: () => [content] }).then((outcome) => {
      sent.push({ number, outcome });
      postLater();
    });
  }
};

// Says that the thread is ready.
parentPort?.postMessage({ outcomes: [], failures: [] } satisfies SentBatch);
parentPort?.on("message", (request: SendRequest | "abort") => {
  if (request === "abort") transport.abort();
  else sendAll(request);
});
