import { lastDayText } from "../kernel/calendarDay.ts";
import { isRefusalCode, type RefusalCode } from "../mail/refusalCode.ts";
import type { NewExpiry } from "../masks/maskExpiry.ts";
import type {
  ForwardedCalendars,
  KeptTrackers,
  LogCause,
  LogDetail,
  LogEntry,
  LoggedRule,
  LogState,
  LogStep,
} from "./logEntry.ts";

/** The sentence for each cause; `rule` is the name of the rule that decided. */
export const causeTexts: Readonly<Record<LogCause, (rule: string) => string>> = {
  forwarded: () => "No rule or setting stopped it, so it was forwarded.",
  "rule-forwarded": (rule) => `The rule ${rule} chose where it went.`,
  "rule-blocked": (rule) => `The rule ${rule} blocked it and notified the sender.`,
  "rule-dropped": (rule) => `The rule ${rule} blocked it silently: the sender was not notified.`,
  "rule-held": (rule) => `The rule ${rule} holds it for your decision.`,
  "rule-archived": (rule) => `The rule ${rule} put it into your archive instead of the inbox.`,
  "kept-in-app": () => "The mail of its mask stays in the app.",
  "rule-hourly": (rule) => `The rule ${rule} put it into the hourly mail.`,
  "rule-daily": (rule) => `The rule ${rule} put it into the daily mail.`,
  "no-recipient": () => "It was forwarded to nobody, because no rule named a confirmed address.",
  "sender-blocked": () => "You blocked this sender.",
  "sender-unknown": () => "Its sender is not among those who may write to the mask.",
  "sender-waits": () => "The mask asks you about new senders, and you had not allowed this one yet.",
  "sender-forged": () =>
    "It did not come from the domain it names, and that domain asks to refuse such mail (DMARC).",
  "sender-suspicious": () =>
    "It did not come from the domain it names, and that domain asks to treat such mail as suspicious (DMARC).",
  spam: () => "The spam filter of the mask refused it.",
  "spam-held": () => "The spam filter of the mask took it for likely spam.",
  "mask-off": () => "The mask was switched off, and refuses mail then.",
  "mask-off-held": () => "The mask was switched off, and holds mail then.",
  "mask-off-dropped": () => "The mask was switched off, and drops mail then.",
  unconfirmed: () =>
    "The address that the mask forwards to is not confirmed yet; the sender tries again later.",
  "month-used": () => "All emails of this month were used.",
  "month-last": () => "The limit of emails a month was nearly reached; the sender tries again later.",
  "sender-rate": () =>
    "Too much came from the sender's domain or network at once; the sender tries again later.",
  "sender-day": () =>
    "The sender's domain or network had reached the limit of the day; the sender tries again tomorrow.",
  "no-room": () => "There was no room to keep more mail for you; the sender tries again later.",
  unacceptable: () => "It could not be accepted in this form.",
  sent: () => "You sent it from the mask.",
  unsubscribed: () => "You unsubscribed from a mailing list, and this server told it so for the mask.",
  "not-unsubscribed": () =>
    "You unsubscribed from a mailing list, and this server tried to tell it so for the mask.",
  "BAUTA-R1": () => "It was not sent: SPF and DKIM did not prove that it came from you.",
  "BAUTA-R2": () => "It was not sent: its From was not one of your confirmed addresses.",
  "BAUTA-R3": () => "It was not sent: your replies for that day were used up.",
  "BAUTA-R4": () => "It was not sent: it was automatic, such as an out-of-office answer.",
  "BAUTA-R5": () => "It was not sent: the mask was switched off, or its destination was not confirmed.",
  "BAUTA-R6": () =>
    "It was not sent: To or Cc named somebody who is not behind the mask and would have seen your address.",
  "BAUTA-R7": () => "It was not sent: its recipients belong to different masks.",
  "BAUTA-R8": () =>
    "It was not sent: it had too many parts, or one that could not be read and made anonymous.",
  "BAUTA-R9": () => "It was not sent: its From was not one of your masks.",
  "BAUTA-R10": () => "It was not sent: your replies were paused, because too many could not be delivered.",
  "BAUTA-R11": () => "It was not sent: your own address, name or provider would have been visible in it.",
  "BAUTA-R12": () =>
    "It was not sent: making it anonymous would have made it too long or taken too much time.",
  "BAUTA-R18": () => "It was not sent: its mask has too many correspondents. Forget some of them first.",
  "proof-unavailable": () =>
    "Nothing proved at that moment that it came from you; your mail server tries again later.",
};

const stateTexts: Readonly<Record<LogState, string>> = {
  delivered: "Delivered",
  deferred: "Delayed",
  bounced: "Bounced",
  held: "Held",
  released: "Released, and sent again",
  deleted: "Deleted",
  replied: "Answered by a rule",
};

const quoted = (text: string): string => `“${text}”`;

/** Says what happened in one step: "Delayed 3 times to me@example.org: “450 busy”". */
export const describeStep = ({ state, times, detail }: LogStep): string =>
  [
    stateTexts[state],
    times > 1 ? ` ${times} times` : "",
    detail && detail.to !== "" ? ` to ${detail.to}` : "",
    detail && detail.answer !== "" ? `: ${quoted(detail.answer)}` : "",
  ].join("");

/** The code whose section of the help on replies explains why a mail was not sent; null for other causes. */
export const replyCode = ({ cause }: Pick<LogDetail, "cause">): RefusalCode | null =>
  isRefusalCode(cause) ? cause : null;

const replyText = ({ cause, to, reply = "" }: LogDetail): string => {
  if (cause === "unsubscribed" || cause === "not-unsubscribed") return `The result: ${reply}.`;
  return `${to === undefined ? "The sender's server" : "Your mail server or program"} was answered ${quoted(reply)}.`;
};

const ruleLabel = ({ rules = [], rule = "" }: LogDetail): string =>
  rules.find(({ id }) => id === rule)?.name ?? rule;

const ruleName = (detail: LogDetail): string => quoted(ruleLabel(detail));

const ruleText = ({ name, text }: LoggedRule): string =>
  text === "" ? `The rule ${quoted(name)} applied.` : `The rule ${quoted(name)} applied: ${text}.`;

type RuleCause = Extract<LogCause, `rule-${string}`>;

const isRuleCause = (cause: LogCause): cause is RuleCause => cause.startsWith("rule-");

/** The rule that decided, which the sentence of the cause names, if it is known. */
const decidingRule = ({ cause, rules = [], rule }: LogDetail): LoggedRule | undefined =>
  isRuleCause(cause) ? rules.find(({ id }) => id === rule) : undefined;

const causeText = (detail: LogDetail): string => {
  const { text = "" } = decidingRule(detail) ?? {};
  return `${causeTexts[detail.cause](ruleName(detail))}${text === "" ? "" : ` It says: ${text}.`}`;
};

const rulesTexts = (detail: LogDetail): readonly string[] => {
  const { rules } = detail;
  if (rules === undefined) return [];
  return rules.length === 0
    ? ["No rule applied."]
    : rules.filter((rule) => rule !== decidingRule(detail)).map(ruleText);
};

const checksText = ({ spf, dkim, dmarc, arc }: NonNullable<LogDetail["checks"]>): string =>
  `Checks of the sender: SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}, ARC ${arc}.`;

const spamText = ({ score, threshold, reasons }: NonNullable<LogDetail["spam"]>): string => {
  const why = reasons.length === 0 ? "" : `: ${reasons.join("; ")}`;
  return `Spam score ${score} of ${threshold}${why}.`;
};

const listTexts = {
  allow: "You always allow this sender.",
  block: "You blocked this sender.",
} as const;

const keptTrackersTexts: Readonly<Record<KeptTrackers, string>> = {
  sealed: "it is signed or encrypted, and a change would break that",
  size: "its HTML is too large",
  parts: "it has too many parts",
  encoding: "its HTML is encoded in a way that cannot be changed",
};

const keptTrackersText = (why: KeptTrackers): string =>
  `A rule removes trackers, but they may still be in this email: ${keptTrackersTexts[why]}.`;

const disarmedText = (why: string): string =>
  `Its calendar ${why}, so that answers could not be led through the mask: the file is in the email, and no program offers to answer it.`;

const calendarsTexts: Readonly<Record<ForwardedCalendars, string>> = {
  "through-mask": "Its calendar names you and others so that answers go through the mask.",
  sealed:
    "Its calendar is signed or encrypted and stays as it came: your calendar answers it from your own address.",
  size: disarmedText("is too large"),
  parts: disarmedText("is among too many or unclear parts"),
  encoding: disarmedText("is written in a way that cannot be read"),
};

const removedTrackersText = (count: number): string =>
  count === 1 ? "A tracker was removed from it." : `${count} trackers were removed from it.`;

const expiryText = ({ at, mails, idleDays, firstSender }: NewExpiry): string => {
  const ends = [
    ...(at === undefined ? [] : [`on ${lastDayText(at)}`]),
    ...(mails === undefined ? [] : [`after ${mails} email${mails === 1 ? "" : "s"}`]),
    ...(idleDays === undefined ? [] : [`after ${idleDays} day${idleDays === 1 ? "" : "s"} without mail`]),
    ...(firstSender ? ["for all but its first sender"] : []),
  ];
  return `The mask expires ${ends.join(" or ")}.`;
};

/** The cause of a result in few words, where no rule decided; empty where the result says it. */
const causeLabels: Readonly<Record<Exclude<LogCause, RuleCause>, string>> = {
  forwarded: "",
  "kept-in-app": "stays in the app",
  "no-recipient": "no confirmed address",
  "sender-blocked": "blocked sender",
  "sender-unknown": "sender may not write",
  "sender-waits": "first-time sender",
  "sender-forged": "forged sender",
  "sender-suspicious": "suspicious sender",
  spam: "spam",
  "spam-held": "likely spam",
  "mask-off": "mask is off",
  "mask-off-held": "mask is off",
  "mask-off-dropped": "mask is off",
  unconfirmed: "address not confirmed",
  "month-used": "monthly limit",
  "month-last": "monthly limit is near",
  "sender-rate": "too much at once",
  "sender-day": "daily limit of the sender",
  "no-room": "storage is full",
  unacceptable: "unacceptable form",
  sent: "",
  unsubscribed: "unsubscribed",
  "not-unsubscribed": "not unsubscribed",
  "BAUTA-R1": "not proven to be yours",
  "BAUTA-R2": "From is none of your addresses",
  "BAUTA-R3": "daily limit of replies",
  "BAUTA-R4": "automatic reply",
  "BAUTA-R5": "mask is off or not confirmed",
  "BAUTA-R6": "would show your address",
  "BAUTA-R7": "recipients of several masks",
  "BAUTA-R8": "too many or unreadable parts",
  "BAUTA-R9": "From is none of your masks",
  "BAUTA-R10": "replies are paused",
  "BAUTA-R11": "would show who you are",
  "BAUTA-R12": "too long to make anonymous",
  "BAUTA-R18": "too many correspondents",
  "proof-unavailable": "proof not available",
};

/** Says in few words why a mail had its result: the last answer of a server that did not take it, or what decided. */
export const shortReason = ({ result, detail, steps }: LogEntry): string => {
  const last = steps.at(-1)?.detail?.answer ?? "";
  if ((result === "bounced" || result === "deferred") && last !== "") return last;
  if (detail === null) return "";
  return isRuleCause(detail.cause) ? `rule ${ruleLabel(detail)}` : causeLabels[detail.cause];
};

/** Explains in plain sentences why a mail had its result: what decided, and what else was known about it. */
export const explainDetail = (detail: LogDetail): readonly string[] => {
  const {
    cause,
    checks,
    spam,
    list,
    tags = [],
    keptTrackers,
    removedTrackers,
    calendars,
    expiry,
    monthLimit,
    reply,
  } = detail;
  return [
    causeText(detail),
    ...(reply === undefined ? [] : [replyText(detail)]),
    ...rulesTexts(detail),
    ...(tags.length === 0 ? [] : [`It was tagged ${tags.join(", ")}.`]),
    ...(removedTrackers === undefined ? [] : [removedTrackersText(removedTrackers)]),
    ...(keptTrackers === undefined ? [] : [keptTrackersText(keptTrackers)]),
    ...(calendars === undefined ? [] : [calendarsTexts[calendars]]),
    ...(list === undefined || cause === "sender-blocked" ? [] : [listTexts[list]]),
    ...(checks === undefined ? [] : [checksText(checks)]),
    ...(spam === undefined ? [] : [spamText(spam)]),
    ...(expiry === undefined ? [] : [expiryText(expiry)]),
    ...(monthLimit === undefined ? [] : [`You can have ${monthLimit} emails a month.`]),
  ];
};

/** True if a text is in what is known about an entry, without regard to case; true for an empty text. */
export const isInEntry = (entry: LogEntry, text: string): boolean => {
  const wanted = text.trim().toLowerCase();
  const { detail, steps } = entry;
  const words = [
    detail?.from ?? "",
    ...(detail?.to ?? []),
    ...(detail?.rules?.map(({ name }) => name) ?? []),
    ...steps.flatMap((step) => (step.detail ? [step.detail.to, step.detail.answer] : [])),
    detail?.reply ?? "",
  ];
  return words.some((word) => word.toLowerCase().includes(wanted));
};
