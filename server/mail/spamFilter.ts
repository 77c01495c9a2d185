import type { WorkerPool, WorkerPoolOptions } from "../workers/workerPool.ts";
import type { CheckWithRspamd } from "./rspamd.ts";
import {
  type Authentication,
  type Evidence,
  noEvidence,
  reasonsAgainst,
  type SpamEnvelope,
  spamThreshold,
  toScore,
} from "./spamScore.ts";

/** Result of the spam filter. */
export interface SpamVerdict {
  readonly authentication: Authentication;
  readonly isSpam: boolean;
  readonly score: number;
  /** Score from which a mail is spam. */
  readonly spamThreshold: number;
  /** Source of the score. */
  readonly by: "bauta" | "rspamd";
  /** Reasons against the mail, most important first, without content of the mail. */
  readonly reasons: readonly string[];
}

/**
 * Checks a mail for the masks whose filter is on; `owner` is the user whose turn in the worker pool is used. Resolves
 * within 6 s and never rejects; a failed check does not count against the mail.
 */
export type CheckSpam = (content: Uint8Array, envelope: SpamEnvelope, owner: string) => Promise<SpamVerdict>;

/** One mail for a worker thread. */
export interface SpamCheckTask {
  readonly content: Uint8Array;
  readonly envelope: SpamEnvelope;
  /** Our host name in SPF macros. */
  readonly host: string;
  /** Null for the system's resolver. */
  readonly dnsServer: string | null;
}

/** Worker threads for signatures and DNS: a large mail takes a second of computation. */
export const spamThreads: WorkerPoolOptions = {
  module: new URL("./spamThread.ts", import.meta.url),
  maxThreads: 8,
  idleThreads: 2,
  timeLimitMs: 5_000,
  memoryLimitMb: 256,
};

export interface SpamFilterDeps {
  readonly pool: Pick<WorkerPool<SpamCheckTask, Evidence>, "run">;
  readonly host: string;
  readonly dnsServer: string | null;
  /** Null when no rspamd is configured. */
  readonly rspamd: CheckWithRspamd | null;
}

/**
 * Creates the spam filter. The sender is checked here; the score is rspamd's when one is configured and answers,
 * otherwise it is calculated from the evidence.
 */
export const createSpamFilter =
  ({ pool, host, dnsServer, rspamd }: SpamFilterDeps): CheckSpam =>
  async (content, envelope, owner) => {
    const [evidence, verdict] = await Promise.all([
      pool.run({ content, envelope, host, dnsServer }, owner).catch(() => noEvidence),
      rspamd?.(content, envelope) ?? null,
    ]);
    const { authentication } = evidence;
    if (verdict) return { authentication, by: "rspamd", ...verdict };
    const reasonsFound = reasonsAgainst(evidence);
    const score = toScore(reasonsFound);
    const reasons = reasonsFound.map(({ message }) => message);
    return { authentication, isSpam: score >= spamThreshold, score, spamThreshold, by: "bauta", reasons };
  };
