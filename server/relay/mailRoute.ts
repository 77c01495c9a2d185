import type { AiFeatures } from "../../core/contentAccess/aiFeature.ts";
import type { ActionLinkPlace } from "../../core/mail/actionLinkPlace.ts";
import type { NameStyle } from "../../core/mail/forwardedFrom.ts";
import type { KeptInApp } from "../../core/mail/keptInApp.ts";
import type { UnsubscribeMode } from "../../core/mail/unsubscribeMode.ts";
import type { LogMode } from "../../core/mailLog/logEntry.ts";
import type { WhenOff } from "../../core/masks/mask.ts";
import type { RuleLists } from "../../core/rules/model/rulePlace.ts";
import type { SenderMode } from "../../core/senders/maskSenders.ts";

/** The consent of a user to derive data from the content of their mail. */
export interface Consent {
  readonly features: AiFeatures;
  /** The host of the external model that the user agreed to; null if none was offered. */
  readonly externalModel: string | null;
}

/** The destinations of a mask's mail, and the limits of its owner's plan and settings. */
export interface MailRoute {
  readonly maskId: string;
  /** The mask's current address; the sender may have used an earlier one. */
  readonly maskEmail: string;
  /** True if the sender used an earlier address. */
  readonly isFormerAddress: boolean;
  /** True if mail with a tag behind the name of the mask is taken. */
  readonly takesTags: boolean;
  /** The tag that the sender has put behind the name. */
  readonly tag?: string;
  /** True if the mail makes the mask, which does not exist before. */
  readonly isNew?: true;
  readonly userId: string;
  /** True if the mask is on and its owner not suspended. */
  readonly active: boolean;
  /** The treatment of mail of a mask that is off; "refuse" while the plan or the operator keeps it off. */
  readonly whenOff: WhenOff;
  /** True if the owner wants to know of refused and dropped mail of a mask that is off. */
  readonly notifyWhenOff: boolean;
  /** The form in which the sender of its mail is shown. */
  readonly nameStyle: NameStyle;
  /** The place of links in its mail that act on the mask. */
  readonly actionLinks: ActionLinkPlace;
  /** The effect of "Unsubscribe" on its mail. */
  readonly unsubscribe: UnsubscribeMode;
  /** True if answers to the calendars in its mail go through the mask. */
  readonly calendarsThroughMask: boolean;
  /** The time for which its mail stays in the app; "no" while its owner has no key. */
  readonly keptInApp: KeptInApp;
  readonly destinationId: string;
  readonly destination: string;
  /** Confirmed addresses that get the mask's mail besides the destination. */
  readonly furtherDestinations: readonly string[];
  /** True if the destination is confirmed; others receive no mail (D33). */
  readonly confirmed: boolean;
  /** The number of mails a month that the owner's plan includes (AC5). */
  readonly emailsPerMonth: number;
  /** Bytes that the owner's plan has for mail in the app. */
  readonly storage: number;
  /** Bytes of mail that are kept for the owner, or wait for their servers. */
  readonly keptBytes: number;
  /** In milliseconds; null: forever. */
  readonly historyMs: number | null;
  /** The consent to derive data from the mail's content; null for none. */
  readonly consent: Consent | null;
  /** Stored JSON of each list that decides about its mail. */
  readonly rules: RuleLists<string>;
  readonly labels: readonly string[];
  readonly spamFilter: boolean;
  /** True if mail from unauthenticated senders is accepted without a mark. */
  readonly acceptUnproven: boolean;
  /** True if the mask allows or blocks some senders. */
  readonly hasSenderLists: boolean;
  readonly senderMode: SenderMode;
  /** The expiry of the mask, as stored; null for never. */
  readonly expiry: string | null;
  /** In milliseconds since 1970; null without a date. */
  readonly expiresAt: number | null;
  /** The part of senders that the log of the owner's mail keeps. */
  readonly log: LogMode;
  /** True if codes in its mail are found and shown to the owner. */
  readonly showsCodes: boolean;
  /** True if the owner keeps the last mails to test rules with. */
  readonly keepsLastMails: boolean;
  /** The part of its mail that webhooks are sent: the content never goes to those of an owner with a key. */
  readonly webhooks: "none" | "facts" | "content";
  /** The part of its mail that push notifications may name: no subject for an owner with a key. */
  readonly push: "none" | "facts" | "sender" | "content";
}
