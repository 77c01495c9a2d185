/** Result of one check of the sender (RFC 8601, 2.7); `temperror` means that DNS did not answer. */
export type Verdict =
  | "pass"
  | "fail"
  | "softfail"
  | "neutral"
  | "none"
  | "policy"
  | "temperror"
  | "permerror";

/** The policy of a domain for mail that fails DMARC (RFC 9989, 4.7). */
export type DmarcPolicy = "none" | "quarantine" | "reject";

/** Results of the checks of the sender. */
export interface Authentication {
  readonly spf: Verdict;
  readonly dkim: Verdict;
  readonly dmarc: Verdict;
  readonly arc: Verdict;
}

/**
 * The result for the domain in From: authenticated ("proven"), unknown ("unproven"), or failed, where the
 * domain requests to quarantine ("suspicious") or refuse ("forged") such mail. "Undecided" where DNS did not answer and
 * the domain may request either: a later try decides.
 */
export type SenderProof = "proven" | "unproven" | "suspicious" | "forged" | "undecided";

/** Signing domains in lower case. */
export interface UnsubscribeSigners {
  /** Those that cover List-Unsubscribe. */
  readonly links: readonly string[];
  /** Those of them that cover List-Unsubscribe-Post, too (RFC 8058, 4). */
  readonly oneClick: readonly string[];
}

/** Everything that is known about a mail's sender. */
export interface Evidence {
  readonly authentication: Authentication;
  readonly policy: DmarcPolicy;
  readonly proof: SenderProof;
  /** The value of Authentication-Results (RFC 8601), without our name; empty when nothing was checked. */
  readonly results: string;
  /** Domains in alignment with From that passed SPF or DKIM. */
  readonly alignedBy: readonly ("spf" | "dkim" | "arc")[];
  /** Number of From fields; a mail has exactly one (RFC 5322, 3.6). */
  readonly fromFields: number;
  /** Number of domains in From; legitimate mail has one. */
  readonly authors: number;
  /** The domain in From that the checks are about, in lower case; empty where there is none. */
  readonly authorDomain: string;
  /** True if the display name is an address of another domain, as in forged mail. */
  readonly hasFalseName: boolean;
  /** The domains whose valid signatures cover the means to leave a mailing list. */
  readonly unsubscribeSigners: UnsubscribeSigners;
  readonly hasDate: boolean;
  readonly hasMessageId: boolean;
  /** True if the mail is the standard test message for spam filters (GTUBE). */
  readonly isTest: boolean;
}

/**
 * Returns the evidence of a mail whose check has failed or taken too long: undecided, where the policy of the domain in
 * From matters or is unknown (null).
 */
export const unjudged = (policy: DmarcPolicy | null): Evidence => ({
  authentication: { spf: "temperror", dkim: "temperror", dmarc: "temperror", arc: "temperror" },
  policy: policy ?? "none",
  proof: policy === "none" ? "unproven" : "undecided",
  results: "",
  alignedBy: [],
  fromFields: 1,
  authors: 1,
  authorDomain: "",
  hasFalseName: false,
  unsubscribeSigners: { links: [], oneClick: [] },
  hasDate: true,
  hasMessageId: true,
  isTest: false,
});

/** The transmission of a mail, as far as checks use it. */
export interface SenderEnvelope {
  /** Empty for the null sender. */
  readonly sender: string;
  /** Argument of HELO or EHLO; false when it was missing or unusable. */
  readonly helo: string | false;
  /** Null where a provider has received the mail: SPF is what it has found, where the operator names its host. */
  readonly remoteAddress: string | null;
}
