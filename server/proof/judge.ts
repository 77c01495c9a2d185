import type { Clock } from "../../core/ports/clock.ts";
import { createDnsCache, createMailLookup } from "../dns/dnsCache.ts";
import { createDnsClient } from "../dns/dnsClient.ts";
import type { WorkerPool, WorkerPoolOptions } from "../workers/workerPool.ts";
import { type Evidence, noEvidence, type SenderEnvelope } from "./evidence.ts";
import { countSignatures, type JudgeOptions, judgeSender } from "./judgeSender.ts";

/**
 * Checks a mail's sender within 5 s; `owner` selects the queue in the worker pool. Never rejects; a failed
 * check does not count against the mail.
 */
export type Judge = (content: Uint8Array, envelope: SenderEnvelope, owner: string) => Promise<Evidence>;

/** One mail for a worker thread. */
export interface JudgeTask extends JudgeOptions {
  readonly content: Uint8Array;
  readonly envelope: SenderEnvelope;
  /** Null for the system's resolver. */
  readonly dnsServer: string | null;
}

/** For signatures of large mails, which take up to a second of computation. */
export const judgeThreads: WorkerPoolOptions = {
  module: new URL("./judgeThread.ts", import.meta.url),
  maxThreads: 8,
  idleThreads: 2,
  timeLimitMs: 5_000,
  memoryLimitMb: 256,
};

/** Signed mails up to this size and number of signatures are checked in this thread, in a few milliseconds. */
const lightBytes = 256 * 1024;
const lightSignatures = 5;

const isLight = (content: Uint8Array): boolean => {
  const signatures = countSignatures(content);
  return signatures === 0 || (signatures <= lightSignatures && content.length <= lightBytes);
};

export interface JudgeDeps {
  readonly pool: Pick<WorkerPool<JudgeTask, Evidence>, "run">;
  readonly options: JudgeOptions;
  /** Null for the system's resolver. */
  readonly dnsServer: string | null;
  readonly clock: Pick<Clock, "now">;
}

/** Creates the check of senders: small mails in this thread with a DNS cache, others in worker threads. */
export const createJudge = ({ pool, options, dnsServer, clock }: JudgeDeps): Judge => {
  const lookUp = createDnsCache(createDnsClient(dnsServer), clock);
  return async (content, envelope, owner) => {
    try {
      return isLight(content)
        ? await judgeSender(content, envelope, options, createMailLookup(lookUp))
        : await pool.run({ content, envelope, dnsServer, ...options }, owner);
    } catch {
      return noEvidence;
    }
  };
};
