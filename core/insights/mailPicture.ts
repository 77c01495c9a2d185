/** How a mask's newer mail looks to whoever seeks what would help. */
export interface MaskPicture {
  readonly id: string;
  readonly description: string;
  readonly forwardTo: string;
  readonly active: boolean;
  readonly spamFilter: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** null: no mail ever came. */
  readonly lastMailAt: number | null;
  readonly received: number;
  /** Of `received`, those told to be promotions or newsletters; 0 while content access is off. */
  readonly promotions: number;
  /** How many mails were checked for who they are from: all where the spam filter is on, a few a day where it is off. */
  readonly checked: number;
  /** Of `checked`, those that failed DMARC. */
  readonly dmarcFailed: number;
  /** Whether a rule of the mask already looks at promotions. */
  readonly hasPromotionRule: boolean;
  /** Who wrote to it, by domain, the most first. */
  readonly senders: readonly { readonly domain: string; readonly received: number }[];
}

/** An account and its masks. */
export interface MailPicture {
  readonly twoFactor: boolean;
  readonly hasKey: boolean;
  /** The day on which what is counted of the masks begins: "2026-09-01". */
  readonly since: string;
  readonly masks: readonly MaskPicture[];
}
