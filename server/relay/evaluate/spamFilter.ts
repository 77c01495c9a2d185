import type { Authentication, Evidence, SenderEnvelope } from "../../proof/evidence.ts";
import type { CheckWithRspamd, SpamRating } from "./rspamd.ts";
import { reasonsAgainst, spamThreshold, toScore } from "./spamScore.ts";

/** Result of the spam filter. */
export interface SpamVerdict {
  readonly authentication: Authentication;
  readonly rating: SpamRating;
  readonly score: number;
  /** The minimum score of spam. */
  readonly spamThreshold: number;
  readonly by: "bauta" | "rspamd";
  /** Reasons against the mail, most important first, without content of the mail. */
  readonly reasons: readonly string[];
}

/** Checks a mail for masks whose filter is on, within 4 s. Never rejects; a failed check does not count against it. */
export type CheckSpam = (
  content: Uint8Array,
  envelope: SenderEnvelope,
  evidence: Evidence,
) => Promise<SpamVerdict>;

/** Creates the spam filter: rspamd's score when it is configured and answers, otherwise one from the sender checks. */
export const createSpamFilter =
  (rspamd: CheckWithRspamd | null): CheckSpam =>
  async (content, envelope, evidence) => {
    const verdict = (await rspamd?.(content, envelope)) ?? null;
    const { authentication } = evidence;
    if (verdict) return { authentication, by: "rspamd", ...verdict };
    const reasonsFound = reasonsAgainst(evidence);
    const score = toScore(reasonsFound);
    const reasons = reasonsFound.map(({ message }) => message);
    const rating = score >= spamThreshold ? "spam" : "clean";
    return { authentication, rating, score, spamThreshold, by: "bauta", reasons };
  };
