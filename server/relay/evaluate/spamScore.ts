import type { DmarcPolicy, Evidence, Verdict } from "../../proof/evidence.ts";

/** Points from which a mail is spam. */
export const spamThreshold = 5;

/** A reason against a mail: its points, and the text for the owner. */
export interface SpamReason {
  readonly points: number;
  readonly message: string;
}

const dmarcFailed: Readonly<Record<DmarcPolicy, SpamReason>> = {
  reject: { points: 8, message: "forged sender, whose domain asks to refuse such mail (DMARC)" },
  quarantine: { points: 5, message: "forged sender, whose domain calls such mail suspicious (DMARC)" },
  none: { points: 1.5, message: "not from the domain that the mail names (DMARC)" },
};

/** Verdicts that are missing here have no points; a failed DNS lookup never counts against a mail. */
const spfFailed: Partial<Readonly<Record<Verdict, SpamReason>>> = {
  fail: { points: 4, message: "the domain of the sender does not send from there (SPF)" },
  softfail: { points: 1.5, message: "the domain of the sender rarely sends from there (SPF)" },
  permerror: { points: 0.5, message: "the domain of the sender has a broken SPF record" },
};

const otherReasons = {
  noAuthor: { points: 3, message: "no sender" },
  manyAuthors: { points: 3, message: "several senders" },
  falseName: { points: 2, message: "the name of the sender pretends to be another address" },
  unvouched: { points: 1, message: "no SPF or DKIM proof of the sender" },
  noDate: { points: 1, message: "no date" },
  noMessageId: { points: 0.5, message: "no Message-ID" },
  test: { points: 10, message: "the test mail of spam filters (GTUBE)" },
} as const;

/**
 * Returns the reasons against a mail, most points first (docs/self-hosting.md has the table). A DMARC pass
 * proves the domain, so SPF is ignored, because mail may be forwarded. A broken signature counts as none (RFC
 * 6376, 6.1), and a valid ARC chain proves only who sealed it (RFC 8617, 7.2), so neither has points.
 */
export const reasonsAgainst = (evidence: Evidence): readonly SpamReason[] => {
  const { authentication, policy, authors, hasFalseName, hasDate, hasMessageId, isTest } = evidence;
  const { spf, dkim, dmarc } = authentication;
  const isProven = dmarc === "pass";
  const isUnknown = [spf, dkim].includes("temperror");
  const isVouched = isProven || spf === "pass" || dkim === "pass" || isUnknown;
  return [
    isTest && otherReasons.test,
    dmarc === "fail" && dmarcFailed[policy],
    !isProven && spfFailed[spf],
    authors === 0 && otherReasons.noAuthor,
    authors > 1 && otherReasons.manyAuthors,
    hasFalseName && otherReasons.falseName,
    !isVouched && otherReasons.unvouched,
    !hasDate && otherReasons.noDate,
    !hasMessageId && otherReasons.noMessageId,
  ]
    .filter((reason) => reason !== false && reason !== undefined)
    .toSorted((one, other) => other.points - one.points);
};

export const toScore = (reasons: readonly SpamReason[]): number =>
  reasons.reduce((sum, { points }) => sum + points, 0);
