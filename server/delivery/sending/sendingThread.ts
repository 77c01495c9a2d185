import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { createSpool } from "../../platform/spool/spoolFile.ts";
import { withHead } from "../outgoingCopy.ts";
import { createDeliveredWriter } from "../queue/deliveredLog.ts";
import type { SendingOptions, SendRequest, SentBatch } from "./sendingMessages.ts";
import { createSendingTransport } from "./sendingTransport.ts";

/** Priority below that of the thread that answers clients: to receive mail goes before sending it. */
const niceness = 5;
if (process.platform === "linux") setPriority(0, niceness);

const empty: SentBatch = { outcomes: [], failures: [], sessions: [] };
let keys: SendRequest["keys"] = [];
let batch = empty;
let isPosting = false;

/** Answers in one message for all that happens within a turn of the event loop. */
const postLater = (more: Partial<SentBatch>): void => {
  batch = {
    outcomes: [...batch.outcomes, ...(more.outcomes ?? [])],
    failures: [...batch.failures, ...(more.failures ?? [])],
    sessions: [...batch.sessions, ...(more.sessions ?? [])],
  };
  if (isPosting) return;
  isPosting = true;
  setImmediate(() => {
    parentPort?.postMessage(batch);
    batch = empty;
    isPosting = false;
  });
};

const options = workerData as SendingOptions;
const spool = createSpool(options.dataDir, true);
const writeDown = options.deliveredLog === null ? () => false : createDeliveredWriter(options.deliveredLog);
const transport = createSendingTransport({
  options,
  activeKeys: async () => keys ?? [],
  clock: Date,
  onSigningFailed: (error) => postLater({ failures: [error] }),
  onSession: (session) => postLater({ sessions: [session] }),
});

type GivenMail = SendRequest["mails"][number];

const send = ({ number, start, length, rest, ...mail }: GivenMail, bytes: Uint8Array): void => {
  const given = Buffer.from(bytes.buffer, bytes.byteOffset + start, length);
  const chunks = () => (rest ? withHead(given, spool.read(rest.file), rest.skip) : [given]);
  void transport.send({ ...mail, chunks }).then((outcome) => {
    const isWrittenDown = outcome.kind === "delivered" && writeDown(mail.id);
    postLater({ outcomes: [{ number, outcome: isWrittenDown ? { ...outcome, isWrittenDown } : outcome }] });
  });
};

let waiting: { readonly mail: GivenMail; readonly bytes: Uint8Array }[] = [];
let next = 0;

/**
 * Sends one mail in a turn of the event loop, because to sign takes so long that the answers for many others would
 * wait for it, unrecorded.
 */
const sendNext = (): void => {
  const first = waiting[next];
  if (first) {
    next += 1;
    send(first.mail, first.bytes);
    setImmediate(sendNext);
  } else [waiting, next] = [[], 0];
};

const sendAll = ({ mails, bytes, keys: changed }: SendRequest): void => {
  keys = changed ?? keys;
  const isIdle = waiting.length === 0;
  for (const mail of mails) waiting.push({ mail, bytes });
  if (isIdle) sendNext();
};

// Says that the thread is ready.
parentPort?.postMessage(empty);
parentPort?.on("message", (request: SendRequest | "abort") => {
  if (request === "abort") transport.abort();
  else sendAll(request);
});
