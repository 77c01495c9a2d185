/** What rules know of the mask a mail came to, before this mail was counted. Times in milliseconds since 1970. */
export interface MaskFacts {
  readonly maskEmail: string;
  readonly forwardTo: string;
  /** When its last mail came; null when this is the first. */
  readonly lastMailAt: number | null;
  readonly receivedThisMonth: number;
  /** Since it exists. */
  readonly received: number;
  readonly forwarded: number;
}

/** What rules know of the account. */
export interface AccountFacts {
  /** Addresses that have been confirmed: others receive nothing (D33). */
  readonly confirmed: readonly string[];
  /** Domains whose addresses are ours: they are never answered. */
  readonly ownDomains: readonly string[];
}
