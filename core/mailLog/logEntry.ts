import * as t from "io-ts";
import { readableList, ShownText } from "../api/wireCodecs.ts";
import { NewExpiry } from "../masks/maskExpiry.ts";

/** The part of senders that a log keeps: nothing because it is off, their domain, or their address. */
export const LogMode = t.keyof({ off: null, domain: null, address: null });
export type LogMode = t.TypeOf<typeof LogMode>;

/** The direction of a mail: it came to a mask, or its owner sent it from the mask. */
export const LogDirection = t.keyof({ received: null, sent: null });
export type LogDirection = t.TypeOf<typeof LogDirection>;

/** The directions in words. */
export const directionLabels: Readonly<Record<LogDirection, string>> = { received: "Received", sent: "Sent" };

/** The most entries of an account whose plan keeps them without end: the oldest go. */
export const maxEntries = 100_000;

/** The result of a mail, in plain sight of the server: the filter of the log. */
export const LogResult = t.keyof({
  queued: null,
  delivered: null,
  deferred: null,
  bounced: null,
  held: null,
  blocked: null,
  dropped: null,
  rejected: null,
  archived: null,
  hourly: null,
  deleted: null,
});
export type LogResult = t.TypeOf<typeof LogResult>;

/** The results in the order in which they are offered, in words. */
export const resultLabels: Readonly<Record<LogResult, string>> = {
  delivered: "Delivered",
  queued: "Being delivered",
  deferred: "Delayed",
  held: "Held",
  bounced: "Bounced",
  blocked: "Blocked",
  dropped: "Dropped",
  rejected: "Rejected",
  archived: "Archived",
  hourly: "In the hourly email",
  deleted: "Deleted",
};

/** An event of a mail, or of one copy of it, after it was logged. */
export const LogState = t.keyof({
  delivered: null,
  deferred: null,
  bounced: null,
  held: null,
  released: null,
  deleted: null,
  replied: null,
});
export type LogState = t.TypeOf<typeof LogState>;

/** The cause of a mail's result. The sentence for each is in `explainEntry.ts`. */
export const LogCause = t.keyof({
  forwarded: null,
  "rule-forwarded": null,
  "rule-blocked": null,
  "rule-dropped": null,
  "rule-held": null,
  "rule-archived": null,
  "kept-in-app": null,
  "rule-hourly": null,
  "rule-daily": null,
  "no-recipient": null,
  "sender-blocked": null,
  "sender-unknown": null,
  "sender-waits": null,
  "sender-forged": null,
  "sender-suspicious": null,
  spam: null,
  "spam-held": null,
  "mask-off": null,
  "mask-off-held": null,
  "mask-off-dropped": null,
  unconfirmed: null,
  "month-used": null,
  "month-last": null,
  "sender-rate": null,
  "sender-day": null,
  "no-room": null,
  unacceptable: null,
  sent: null,
  unsubscribed: null,
  "not-unsubscribed": null,
  "BAUTA-R1": null,
  "BAUTA-R2": null,
  "BAUTA-R3": null,
  "BAUTA-R4": null,
  "BAUTA-R5": null,
  "BAUTA-R6": null,
  "BAUTA-R7": null,
  "BAUTA-R8": null,
  "BAUTA-R9": null,
  "BAUTA-R10": null,
  "BAUTA-R11": null,
  "BAUTA-R12": null,
  "BAUTA-R18": null,
  "proof-unavailable": null,
});
export type LogCause = t.TypeOf<typeof LogCause>;

/** A rule that applied, as it was then; `text` is empty where it is not known. */
export const LoggedRule = t.type({ id: t.string, name: ShownText, text: ShownText });
export type LoggedRule = t.TypeOf<typeof LoggedRule>;

/**
 * The reason for which trackers stay in a mail although a rule removes them: it is signed or encrypted, its HTML is too large, it
 * has too many parts, or its HTML is encoded in a way that cannot be changed.
 */
export const KeptTrackers = t.keyof({ sealed: null, size: null, parts: null, encoding: null });
export type KeptTrackers = t.TypeOf<typeof KeptTrackers>;

/**
 * The treatment of the calendars of a mail: all lead answers through the mask; or one is signed or encrypted and stays; or one is
 * too large, in a mail with too many parts or encoded in a way that cannot be read, and no program takes it for a calendar.
 */
export const ForwardedCalendars = t.keyof({
  "through-mask": null,
  sealed: null,
  size: null,
  parts: null,
  encoding: null,
});
export type ForwardedCalendars = t.TypeOf<typeof ForwardedCalendars>;

const Verdict = t.string;

/**
 * The details of a logged mail besides time, mask and result. Where the owner has a key, only the owner can read it. Nothing of
 * the mail's subject or text is in it.
 */
export const LogDetail = t.intersection([
  t.type({
    /** The sender's address or domain, as the owner has chosen; empty where there is none, and for sent mail. */
    from: ShownText,
    cause: LogCause,
  }),
  t.partial({
    /** The recipients of sent mail, each once: their addresses or domains, as the owner has chosen. */
    to: t.readonlyArray(ShownText),
    /** In bytes; absent for mail that was refused before its content came. */
    size: t.number,
    rules: t.readonlyArray(LoggedRule),
    /** The id of the rule that decided. */
    rule: t.string,
    /** Results of the checks of the sender; absent when they were not made. */
    checks: t.type({ spf: Verdict, dkim: Verdict, dmarc: Verdict, arc: Verdict }),
    spam: t.type({ score: t.number, threshold: t.number, reasons: t.readonlyArray(ShownText) }),
    /** The list of the mask that names the sender. */
    list: t.keyof({ allow: null, block: null }),
    tags: t.readonlyArray(ShownText),
    keptTrackers: KeptTrackers,
    /** The number of tracking pixels and links that were taken out. */
    removedTrackers: t.number,
    /** Absent for a mail without calendars. */
    calendars: ForwardedCalendars,
    /** The expiry of the mask. */
    expiry: NewExpiry,
    /** The number of mails a month that the plan takes; absent without a limit. */
    monthLimit: t.number,
    /** The reply to the sender's server. */
    reply: ShownText,
  }),
]);
export type LogDetail = t.TypeOf<typeof LogDetail>;

/** The destination of a copy, and the answer of the server there. */
export const StepDetail = t.type({ to: ShownText, answer: ShownText });
export type StepDetail = t.TypeOf<typeof StepDetail>;

const Sealed = t.union([t.string, t.null]);

/** One thing that happened to a mail. Dates are ISO 8601. */
export const LogStep = t.type({
  state: LogState,
  at: t.string,
  /** The number of times: a server may delay a mail several times. */
  times: t.number,
  /** null where it is encrypted or unknown. */
  detail: t.union([StepDetail, t.null]),
  /** The detail as JSON in an OpenPGP message in base 64; null where it is not encrypted. */
  sealed: Sealed,
});
export type LogStep = t.TypeOf<typeof LogStep>;

/** A logged mail. Dates are ISO 8601. */
export const LogEntry = t.intersection([
  t.type({
    id: ShownText,
    at: t.string,
    direction: LogDirection,
    /**
     * Empty for a refused mail without a mask: it came from none of the user's masks, or would have made one at their
     * domain.
     */
    maskId: ShownText,
    result: LogResult,
    /** null where it is encrypted, or could not be encrypted because the key cannot be used. */
    detail: t.union([LogDetail, t.null]),
    /** The detail as JSON in an OpenPGP message in base 64; null where it is not encrypted. */
    sealed: Sealed,
    /** In the order of their time. */
    steps: t.readonlyArray(LogStep),
  }),
  /** The id of its held mail, while there is one alone. */
  t.partial({ heldId: ShownText }),
]);
export type LogEntry = t.TypeOf<typeof LogEntry>;

/** The settings of the log: what it keeps, and for how long. */
export const LogSettings = t.type({
  keep: LogMode,
  /** The number of days for which an entry is kept; null for no end. */
  days: t.union([t.number, t.null]),
  /** True if new entries are encrypted to the key of the account. */
  encrypted: t.boolean,
});
export type LogSettings = t.TypeOf<typeof LogSettings>;

/** A page of the log, newest first. */
export const LogPage = t.type({
  settings: LogSettings,
  mails: readableList(LogEntry),
  /** True if older entries exist. */
  more: t.boolean,
});
export type LogPage = t.TypeOf<typeof LogPage>;
