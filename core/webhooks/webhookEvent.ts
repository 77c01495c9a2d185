import * as t from "io-ts";
import { LogCause } from "../mailLog/logEntry.ts";

/** The events that a webhook can be notified of. A new one needs its text below and its payload in `webhookPayloads`. */
export const WebhookEvent = t.keyof({
  "mail.received": null,
  "mail.forwarded": null,
  "mail.blocked": null,
  "mail.held": null,
  "mail.refused": null,
  "mail.replied": null,
  "mask.made": null,
  "mask.changed": null,
  "mask.deleted": null,
});
export type WebhookEvent = t.TypeOf<typeof WebhookEvent>;

/** The type of a message: an event, or the test that its owner asks for. */
export const WebhookMessageType = t.union([WebhookEvent, t.literal("webhook.test")]);
export type WebhookMessageType = t.TypeOf<typeof WebhookMessageType>;

/** The label of an event, and its meaning. */
interface WebhookEventText {
  readonly group: "Mail" | "Masks";
  readonly label: string;
  readonly sentence: string;
}

/** The texts of all events, in the order in which they are offered. */
export const webhookEventTexts: Readonly<Record<WebhookEvent, WebhookEventText>> = {
  "mail.received": {
    group: "Mail",
    label: "Received",
    sentence: "An email came to a mask and was accepted or blocked, whatever became of it.",
  },
  "mail.forwarded": {
    group: "Mail",
    label: "Forwarded",
    sentence: "An email is on its way to where the mask forwards to.",
  },
  "mail.blocked": {
    group: "Mail",
    label: "Blocked",
    sentence: "A rule, a list of senders or the spam filter stopped an email.",
  },
  "mail.held": { group: "Mail", label: "Held", sentence: "An email waits for your decision." },
  "mail.refused": {
    group: "Mail",
    label: "Refused",
    sentence: "An email was not accepted, for example because its mask is switched off.",
  },
  "mail.replied": { group: "Mail", label: "Sent", sentence: "You wrote or replied from a mask." },
  "mask.made": {
    group: "Masks",
    label: "Created",
    sentence: "A mask was created, by an email too, or restored.",
  },
  "mask.changed": {
    group: "Masks",
    label: "Changed",
    sentence: "A mask was switched on or off, or its settings were changed.",
  },
  "mask.deleted": { group: "Masks", label: "Deleted", sentence: "A mask was deleted." },
};

/** All events, in the order in which they are offered. */
export const webhookEvents = Object.keys(webhookEventTexts) as readonly WebhookEvent[];

/** The most characters of a mail's text in a message. */
export const maxMessageText = 16_384;

/** The mask that a message is about, with its labels at that time. */
const MessageMask = t.type({ id: t.string, address: t.string, labels: t.readonlyArray(t.string) });

/** The result of a mail. */
export const MessageResult = t.keyof({
  forwarded: null,
  hourly: null,
  archived: null,
  held: null,
  blocked: null,
  dropped: null,
  refused: null,
  sent: null,
});
export type MessageResult = t.TypeOf<typeof MessageResult>;

/** The reason: a code for programs, and its sentence. */
const MessageReason = t.type({ code: LogCause, text: t.string });

/** The content that its owner, who has no key, asks for besides: the subject, and the text that a person reads. */
export const MessageContent = t.partial({
  subject: t.string,
  /** At most 16,384 characters. */
  text: t.string,
  isTextCut: t.boolean,
});
export type MessageContent = t.TypeOf<typeof MessageContent>;

/** An address, or only its domain, as the account's log keeps them; null while the log is off. */
const Correspondent = t.union([t.string, t.null]);

const ArrivedMail = t.type({
  mask: MessageMask,
  mail: t.intersection([
    t.type({
      /** Bytes; null for a mail that was refused before its content came. */
      size: t.union([t.number, t.null]),
      from: Correspondent,
    }),
    t.partial({
      /** Its entry in the log; absent where the log is off. */
      logId: t.string,
      /** A held mail's id, to decide about it. */
      heldId: t.string,
    }),
    MessageContent,
  ]),
  result: MessageResult,
  reason: MessageReason,
});
export type ArrivedMail = t.TypeOf<typeof ArrivedMail>;

const SentMail = t.type({
  mask: MessageMask,
  mail: t.intersection([
    t.type({
      size: t.number,
      /** Each recipient once; null while the log is off. */
      to: t.union([t.readonlyArray(t.string), t.null]),
    }),
    t.partial({ logId: t.string }),
  ]),
  result: MessageResult,
  reason: MessageReason,
});
export type SentMail = t.TypeOf<typeof SentMail>;

const MaskState = t.type({ mask: MessageMask, isActive: t.boolean });
export type MaskState = t.TypeOf<typeof MaskState>;

const TestData = t.type({ webhook: t.type({ id: t.string }), text: t.string });

const message = <Type extends WebhookMessageType, Data extends t.Mixed>(type: Type, data: Data) =>
  t.type({ type: t.literal(type), timestamp: t.string, data });

/**
 * The body of each message: `type`, `timestamp` (ISO 8601) and `data`.
 * @public Receivers that are built on core decode messages with it.
 */
export const webhookPayloads = {
  "mail.received": message("mail.received", ArrivedMail),
  "mail.forwarded": message("mail.forwarded", ArrivedMail),
  "mail.blocked": message("mail.blocked", ArrivedMail),
  "mail.held": message("mail.held", ArrivedMail),
  "mail.refused": message("mail.refused", ArrivedMail),
  "mail.replied": message("mail.replied", SentMail),
  "mask.made": message("mask.made", MaskState),
  "mask.changed": message("mask.changed", MaskState),
  "mask.deleted": message("mask.deleted", MaskState),
  "webhook.test": message("webhook.test", TestData),
} as const satisfies Readonly<Record<WebhookMessageType, t.Mixed>>;
