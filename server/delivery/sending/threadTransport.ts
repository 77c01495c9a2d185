import { Worker } from "node:worker_threads";
import type { SigningKey } from "../../proof/dkimKeys.ts";
import type { TlsSession } from "../direct/tlsSessions.ts";
import { isSpooled } from "../outgoingCopy.ts";
import type { OnSigningFailed } from "../signingTransport.ts";
import type { DeliveryOutcome, Transport, TransportMail } from "../transport.ts";
import type { SendingOptions, SendRequest, SentBatch } from "./sendingMessages.ts";

export interface ThreadTransportDeps {
  readonly options: SendingOptions;
  readonly activeKeys: () => Promise<readonly SigningKey[]>;
  readonly onSigningFailed: OnSigningFailed;
  readonly onSession: (session: TlsSession) => void;
  /** Sends mails whose content is neither in memory nor in a file that lasts, and others until the thread is ready. */
  readonly otherwise: Transport;
}

interface Pending extends Omit<TransportMail, "chunks">, Pick<SendRequest["mails"][number], "rest"> {
  readonly chunks: readonly Buffer[];
  readonly resolve: (outcome: DeliveryOutcome) => void;
}

const module = new URL("./sendingThread.ts", import.meta.url);
const interrupted: DeliveryOutcome = { kind: "temporary", answer: "451 4.3.0 Sending was interrupted" };

const lengthOf = (chunks: readonly Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0);

/** Mails under way in a thread. */
interface SendingThread {
  readonly isReady: () => boolean;
  readonly post: (mails: readonly Pending[], keys: readonly SigningKey[]) => void;
  readonly abort: () => void;
}

const startSendingThread = (
  { options, onSigningFailed, onSession }: ThreadTransportDeps,
  onEnd: () => void,
): SendingThread => {
  const worker = new Worker(module, { workerData: options, stdout: true, stderr: true });
  const underWay = new Map<number, Pending["resolve"]>();
  let knownKeys: readonly SigningKey[] = [];
  let last = 0;
  let isReady = false;
  let isLeaving = false;
  let isOver = false;

  const leave = (): void => {
    if (isLeaving && underWay.size === 0) void worker.terminate();
  };
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    onEnd();
    for (const resolve of underWay.values()) resolve(interrupted);
    underWay.clear();
  };
  worker.unref();
  worker.on("error", end);
  worker.on("exit", end);
  worker.on("message", ({ outcomes, failures, sessions }: SentBatch) => {
    isReady = true;
    for (const { number, outcome } of outcomes) {
      underWay.get(number)?.(outcome);
      underWay.delete(number);
    }
    failures.forEach(onSigningFailed);
    sessions.forEach(onSession);
    leave();
  });

  return {
    isReady: () => isReady,
    post: (pending, keys) => {
      const bytes = new Uint8Array(pending.reduce((sum, { chunks }) => sum + lengthOf(chunks), 0));
      let end = 0;
      const mails = pending.map(({ chunks, resolve, ...mail }) => {
        const number = ++last;
        const start = end;
        underWay.set(number, resolve);
        for (const chunk of chunks) {
          bytes.set(chunk, end);
          end += chunk.length;
        }
        return { ...mail, number, start, length: end - start };
      });
      const request: SendRequest = { mails, bytes, keys: keys === knownKeys ? null : keys };
      knownKeys = keys;
      worker.postMessage(request, [bytes.buffer]);
    },
    abort: () => {
      isLeaving = true;
      worker.postMessage("abort");
      leave();
    },
  };
};

/**
 * Creates a transport that signs and sends mail in a thread of its own, so that a second processor sends while
 * the first receives. The mails of one turn of the event loop are handed over in one message.
 */
export const createThreadTransport = (deps: ThreadTransportDeps): Transport => {
  const { activeKeys, otherwise } = deps;
  let thread: SendingThread | null = null;
  let pending: Pending[] = [];
  let hasEnded = false;

  const post = async (): Promise<void> => {
    const keys = await activeKeys().catch((error: unknown) => {
      deps.onSigningFailed(error);
      return [];
    });
    const mails = pending;
    pending = [];
    if (thread && !hasEnded) thread.post(mails, keys);
    else for (const { resolve } of mails) resolve(interrupted);
  };

  const isThreadReady = (): boolean => {
    thread ??= startSendingThread(deps, () => {
      thread = null;
    });
    return thread.isReady();
  };

  return {
    send: (mail) => {
      if (hasEnded) return Promise.resolve(interrupted);
      const bytes = mail.chunks();
      const rest = isSpooled(bytes) ? { file: bytes.file, skip: bytes.skip } : null;
      const chunks = isSpooled(bytes) ? [bytes.head] : bytes;
      if (!Array.isArray(chunks) || !isThreadReady()) return otherwise.send(mail);
      // Callers hand over mails with more than this, which would be copied to the thread.
      const { id, envelopeSender, recipient, userId = null, size, createdAt, mxRoute: route } = mail;
      return new Promise((resolve) => {
        if (pending.length === 0) setImmediate(() => void post());
        pending.push({
          ...{ id, envelopeSender, recipient, userId, size, createdAt, chunks, rest, resolve },
          ...(route && { mxRoute: route }),
        });
      });
    },
    abort: () => {
      hasEnded = true;
      thread?.abort();
      otherwise.abort();
    },
  };
};
