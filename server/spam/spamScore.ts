import type { DmarcPolicy, Evidence, Verdict } from "./evidence.ts";

/** From how many points on a mail is spam. */
export const spamAt = 5;

/** What speaks against a mail: its points, and what its owner is told. */
export interface Reason {
  readonly points: number;
  readonly sentence: string;
}

const dmarcFailed: Readonly<Record<DmarcPolicy, Reason>> = {
  reject: { points: 8, sentence: "Forged sender: its domain wants such mail refused (DMARC)" },
  quarantine: { points: 5, sentence: "Forged sender: its domain calls such mail suspicious (DMARC)" },
  none: { points: 1.5, sentence: "It does not come from the domain it names (DMARC)" },
};

/** Verdicts that do not stand here cost nothing: what DNS has no answer to never counts against a mail. */
const spfFailed: Partial<Readonly<Record<Verdict, Reason>>> = {
  fail: { points: 4, sentence: "Its sender's domain does not send from there (SPF)" },
  softfail: { points: 1.5, sentence: "Its sender's domain seldom sends from there (SPF)" },
  permerror: { points: 0.5, sentence: "Its sender's domain has a broken SPF record" },
};

const others = {
  noAuthor: { points: 3, sentence: "It does not say who it is from" },
  manyAuthors: { points: 3, sentence: "It names several senders" },
  falseName: { points: 2, sentence: "The sender's name pretends to be another address" },
  unvouched: { points: 1, sentence: "Nobody vouches for its sender (SPF, DKIM)" },
  noDate: { points: 1, sentence: "It has no date" },
  noMessageId: { points: 0.5, sentence: "It has no Message-ID" },
  test: { points: 10, sentence: "It is the message with which spam filters are tried (GTUBE)" },
} as const;

/**
 * What speaks against a mail, the heaviest first (docs/self-hosting.md has the table). Mail that passes DMARC is from
 * whom it says: then SPF alone means nothing, because mail may be passed on. A broken signature counts as none
 * (RFC 6376, 6.1), and a good ARC chain proves only who wrote it (RFC 8617, 7.2), so neither has points.
 */
export const reasonsAgainst = (evidence: Evidence): readonly Reason[] => {
  const { authentication, policy, authors, hasFalseName, hasDate, hasMessageId, isTest } = evidence;
  const { spf, dkim, dmarc } = authentication;
  const isProven = dmarc === "pass";
  const isUnknown = [spf, dkim].includes("temperror");
  const isVouched = isProven || spf === "pass" || dkim === "pass" || isUnknown;
  return [
    isTest && others.test,
    dmarc === "fail" && dmarcFailed[policy],
    !isProven && spfFailed[spf],
    authors === 0 && others.noAuthor,
    authors > 1 && others.manyAuthors,
    hasFalseName && others.falseName,
    !isVouched && others.unvouched,
    !hasDate && others.noDate,
    !hasMessageId && others.noMessageId,
  ]
    .filter((reason) => reason !== false && reason !== undefined)
    .toSorted((one, other) => other.points - one.points);
};

export const scoreOf = (reasons: readonly Reason[]): number =>
  reasons.reduce((sum, { points }) => sum + points, 0);
