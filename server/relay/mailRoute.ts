import type { AiFeatures } from "../../core/contentAccess/aiFeature.ts";
import type { ActionLinkPlace } from "../../core/mail/actionLinkPlace.ts";
import type { NameStyle } from "../../core/mail/forwardedFrom.ts";
import type { KeptInApp } from "../../core/mail/keptInApp.ts";
import type { UnsubscribeMode } from "../../core/mail/unsubscribeMode.ts";
import type { LogMode } from "../../core/mailLog/logEntry.ts";
import type { WhenOff } from "../../core/masks/mask.ts";
import type { RuleLists } from "../../core/rules/model/rulePlace.ts";
import type { SenderMode } from "../../core/senders/maskSenders.ts";

/** What a user allows to derive from the content of their mail. */
export interface Consent {
  readonly features: AiFeatures;
  /** The host of the external model that the user agreed to; null if none was offered. */
  readonly externalModel: string | null;
}

/** Where the mail of a mask is forwarded, and what its owner's plan and settings allow. */
export interface MailRoute {
  readonly maskId: string;
  /** The mask's current address; the sender may have used an earlier one. */
  readonly maskEmail: string;
  /** Whether the sender used an earlier address. */
  readonly isFormerAddress: boolean;
  /** Whether mail with a tag behind the name of the mask is taken. */
  readonly takesTags: boolean;
  /** The tag that the sender has put behind the name. */
  readonly tag?: string;
  /** Whether the mail makes the mask, which does not exist before. */
  readonly isNew?: true;
  readonly userId: string;
  /** Whether the mask is on and its owner not suspended. */
  readonly active: boolean;
  /** What happens to mail of a mask that is off; "refuse" while the plan or the operator keeps it off. */
  readonly whenOff: WhenOff;
  /** Whether the owner wants to know of refused and dropped mail of a mask that is off. */
  readonly notifyWhenOff: boolean;
  /** How the sender of its mail is shown. */
  readonly nameStyle: NameStyle;
  /** Where its mail has links that act on the mask. */
  readonly actionLinks: ActionLinkPlace;
  /** What "Unsubscribe" does with its mail. */
  readonly unsubscribe: UnsubscribeMode;
  /** Whether answers to the calendars in its mail go through the mask. */
  readonly calendarsThroughMask: boolean;
  /** Whether its mail stays in the app, and how long; "no" while its owner has no key. */
  readonly keptInApp: KeptInApp;
  readonly destinationId: string;
  readonly destination: string;
  /** Confirmed addresses that get the mask's mail besides the destination. */
  readonly furtherDestinations: readonly string[];
  /** Whether the destination is confirmed; others receive no mail (D33). */
  readonly confirmed: boolean;
  /** How many mails a month the owner's plan includes (AC5). */
  readonly emailsPerMonth: number;
  /** Bytes that the owner's plan has for mail in the app. */
  readonly storage: number;
  /** Bytes of mail that are kept for the owner, or wait for their servers. */
  readonly keptBytes: number;
  /** In milliseconds; null: forever. */
  readonly historyMs: number | null;
  /** What may be derived from the mail's content; null: nothing. */
  readonly consent: Consent | null;
  /** Stored JSON of each list that decides about its mail. */
  readonly rules: RuleLists<string>;
  readonly labels: readonly string[];
  readonly spamFilter: boolean;
  /** Whether mail from unauthenticated senders is accepted without a mark. */
  readonly acceptUnproven: boolean;
  /** Whether the mask allows or blocks some senders. */
  readonly hasSenderLists: boolean;
  readonly senderMode: SenderMode;
  /** When the mask expires, as stored; null for never. */
  readonly expiry: string | null;
  /** In milliseconds since 1970; null without a date. */
  readonly expiresAt: number | null;
  /** What the log of the owner's mail keeps of senders. */
  readonly log: LogMode;
  /** Whether the owner keeps the last mails to test rules with. */
  readonly keepsLastMails: boolean;
  /** Whether webhooks are told of its mail, and whether with its content: never of an owner with a key. */
  readonly webhooks: "none" | "facts" | "content";
}
