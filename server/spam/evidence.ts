/** What a check of who a mail is from has found (RFC 8601, 2.7). `temperror`: DNS did not answer, so nobody knows. */
export type Verdict =
  | "pass"
  | "fail"
  | "softfail"
  | "neutral"
  | "none"
  | "policy"
  | "temperror"
  | "permerror";

/** What the domain in From wants done with mail that does not come from it (RFC 7489, 6.3). */
export type DmarcPolicy = "none" | "quarantine" | "reject";

/** Who a mail is from, as far as it can be proved. */
export interface Authentication {
  readonly spf: Verdict;
  readonly dkim: Verdict;
  readonly dmarc: Verdict;
  readonly arc: Verdict;
}

/** Everything the score is made of. */
export interface Evidence {
  readonly authentication: Authentication;
  readonly policy: DmarcPolicy;
  /** How many domains From names; mail that can be believed names one. */
  readonly authors: number;
  /** Whether the name beside the address is itself another address, as a forger writes it. */
  readonly hasFalseName: boolean;
  readonly hasDate: boolean;
  readonly hasMessageId: boolean;
  /** Whether it is the message with which filters are tried (GTUBE). */
  readonly isTest: boolean;
}

/** What is said of a mail that could not be looked at: nothing, so nothing speaks against it. */
export const noEvidence: Evidence = {
  authentication: { spf: "temperror", dkim: "temperror", dmarc: "temperror", arc: "temperror" },
  policy: "none",
  authors: 1,
  hasFalseName: false,
  hasDate: true,
  hasMessageId: true,
  isTest: false,
};

/** How a mail came. */
export interface SpamEnvelope {
  /** Empty for the null sender. */
  readonly sender: string;
  /** What the client said in HELO or EHLO; false when it said nothing usable. */
  readonly helo: string | false;
  readonly remoteAddress: string;
}
