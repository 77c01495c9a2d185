import type { WorkerPool, WorkerSettings } from "../workers/workerPool.ts";
import { type Authentication, type Evidence, noEvidence, type SpamEnvelope } from "./evidence.ts";
import type { AskRspamd } from "./rspamd.ts";
import { reasonsAgainst, scoreOf, spamAt } from "./spamScore.ts";

/** What the filter says of a mail. */
export interface SpamJudgement {
  readonly authentication: Authentication;
  readonly isSpam: boolean;
  readonly score: number;
  /** From which score on a mail is spam. */
  readonly spamAt: number;
  /** Whose score that is. */
  readonly by: "bauta" | "rspamd";
  /** What speaks against the mail, the heaviest first, without anything of the mail. */
  readonly reasons: readonly string[];
}

/**
 * Judges a mail for the masks that want that; `owner` is whose turn it takes. Never rejects, and answers within
 * 6 s: what cannot be found out does not count against a mail.
 */
export type JudgeSpam = (
  content: Uint8Array,
  envelope: SpamEnvelope,
  owner: string,
) => Promise<SpamJudgement>;

/** One mail for a thread. */
export interface Check {
  readonly content: Uint8Array;
  readonly envelope: SpamEnvelope;
  /** Who we are, in SPF's macros. */
  readonly host: string;
  /** null: the system's resolver. */
  readonly dnsServer: string | null;
}

/** Where signatures are verified: a large mail takes a second of work, and a name server its time. */
export const spamThreads: WorkerSettings = {
  module: new URL("./spamThread.ts", import.meta.url),
  mostThreads: 8,
  spareThreads: 2,
  timeLimitMs: 5_000,
  memoryLimitMb: 256,
};

export interface SpamFilterParts {
  readonly pool: Pick<WorkerPool<Check, Evidence>, "run">;
  readonly host: string;
  readonly dnsServer: string | null;
  /** null: mail is judged here alone. */
  readonly rspamd: AskRspamd | null;
}

/**
 * Makes the filter: who a mail is from is checked here; what it is worth is rspamd's word where there is one, and else
 * the score of what was found.
 */
export const makeSpamFilter =
  ({ pool, host, dnsServer, rspamd }: SpamFilterParts): JudgeSpam =>
  async (content, envelope, owner) => {
    const [evidence, verdict] = await Promise.all([
      pool.run({ content, envelope, host, dnsServer }, owner).catch(() => noEvidence),
      rspamd?.(content, envelope) ?? null,
    ]);
    const { authentication } = evidence;
    if (verdict) return { authentication, by: "rspamd", ...verdict };
    const found = reasonsAgainst(evidence);
    const score = scoreOf(found);
    const reasons = found.map(({ sentence }) => sentence);
    return { authentication, isSpam: score >= spamAt, score, spamAt, by: "bauta", reasons };
  };
