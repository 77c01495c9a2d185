import type { Clock } from "../../core/ports/clock.ts";
import { createDnsCache, createMailLookup } from "../dns/dnsCache.ts";
import { createDnsClient } from "../dns/dnsClient.ts";
import type { WorkerPool, WorkerPoolOptions } from "../workers/workerPool.ts";
import { type Evidence, noEvidence, type SenderEnvelope } from "./evidence.ts";
import { countSignatures, type JudgeOptions, judgeSender } from "./judgeSender.ts";

/**
 * Checks who sent a mail; `owner` is the user whose turn in the worker pool is used. Resolves within 5 s and never
 * rejects; a failed check does not count against the mail.
 */
export type Judge = (content: Uint8Array, envelope: SenderEnvelope, owner: string) => Promise<Evidence>;

/** One mail for a worker thread. */
export interface JudgeTask extends JudgeOptions {
  readonly content: Uint8Array;
  readonly envelope: SenderEnvelope;
  /** Null for the resolver of the system. */
  readonly dnsServer: string | null;
}

/** Worker threads for signatures of large mails, which take up to a second of computation. */
export const judgeThreads: WorkerPoolOptions = {
  module: new URL("./judgeThread.ts", import.meta.url),
  maxThreads: 8,
  idleThreads: 2,
  timeLimitMs: 5_000,
  memoryLimitMb: 256,
};

/** A signed mail with at most this many bytes and signatures is checked at once, in a few milliseconds. */
const lightBytes = 256 * 1024;
const lightSignatures = 5;

const isLight = (content: Uint8Array): boolean => {
  const signatures = countSignatures(content);
  return signatures === 0 || (signatures <= lightSignatures && content.length <= lightBytes);
};

export interface JudgeDeps {
  readonly pool: Pick<WorkerPool<JudgeTask, Evidence>, "run">;
  readonly options: JudgeOptions;
  /** Null for the resolver of the system. */
  readonly dnsServer: string | null;
  readonly clock: Pick<Clock, "now">;
}

/** Creates the check of senders: light mails here with a cache of DNS answers, others in worker threads. */
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
