import type { LogCause, LogDetail, LoggedRule } from "../../../core/mailLog/logEntry.ts";
import type { NewExpiry } from "../../../core/masks/maskExpiry.ts";
import type { Obstacle } from "../../../core/rules/engine/decision.ts";
import { readRules } from "../../../core/rules/model/ruleList.ts";
import { isSpaced, ruleSummary } from "../../../core/rules/model/ruleSummary.ts";
import { shownAddress } from "../../delivery/mailLog/sentLog.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import type { ArrivalReason, MailDecision } from "../decision/mailDecision.ts";
import * as refusals from "../decision/refusals.ts";
import type { MailRoute } from "../mailRoute.ts";

/** The most characters of a rule's text. */
const maxRuleText = 500;

const obstacleCauses: Readonly<Record<Obstacle, LogCause>> = {
  "switched-off": "mask-off-dropped",
  "blocked-sender": "sender-blocked",
  "unknown-sender": "sender-unknown",
  "forged-sender": "sender-forged",
  // Refused for the moment only, before a log is written.
  "undecided-sender": "sender-forged",
  "spam-filter": "spam",
};

const holdCauses: Readonly<Record<ArrivalReason, LogCause>> = {
  off: "mask-off-held",
  unknown: "sender-waits",
  rule: "rule-held",
  suspicious: "sender-suspicious",
  spam: "spam-held",
};

/** The rule that decided by one of its actions. */
const ruleWith = ({ decision }: MailDecision, action: string): Pick<LogDetail, "rule"> => {
  const rule = decision.applied.find(({ actions }) => actions.some((one) => one === action));
  return rule ? { rule: rule.id } : {};
};

const archiveCause = (decided: MailDecision): Pick<LogDetail, "cause" | "rule"> => {
  const byRule = ruleWith(decided, "archive");
  return byRule.rule === undefined ? { cause: "kept-in-app" } : { cause: "rule-archived", ...byRule };
};

/** Returns the cause of a mail's result. */
export const causeOf = (decided: MailDecision): Pick<LogDetail, "cause" | "rule"> => {
  const { decision, held, archive, copies, digest } = decided;
  const { block, hold } = decision;
  if (block) {
    if (block.by !== "rule") return { cause: obstacleCauses[block.by] };
    return { cause: block.how === "silent" ? "rule-dropped" : "rule-blocked", rule: block.ruleId };
  }
  const [first] = held;
  if (first)
    return {
      cause: holdCauses[first.reason],
      ...(first.reason === "rule" && hold ? { rule: hold.ruleId } : {}),
    };
  if (archive) return archiveCause(decided);
  if (copies.length + digest.length === 0) return { cause: "no-recipient" };
  const byRule = ruleWith(decided, "forward");
  if (byRule.rule === undefined) return { cause: "forwarded" };
  return {
    cause:
      copies.length > 0
        ? "rule-forwarded"
        : digest.some(({ isDaily }) => !isDaily)
          ? "rule-hourly"
          : "rule-daily",
    ...byRule,
  };
};

/** The rules that applied, those of the account included, with their text at this time; empty where it is not known. */
const rulesOf = ({ route, decision: { applied } }: MailDecision): readonly LoggedRule[] => {
  if (applied.length === 0) return [];
  const lists = [route.rules.before, route.rules.mask, route.rules.after];
  const rules = lists.flatMap((list) => readRules(JSON.parse(list) as unknown[]).rules);
  return applied.map(({ id, name }) => {
    const rule = rules.find((one) => one.id === id);
    const parts = rule ? ruleSummary(rule) : [];
    const text = parts
      .map((part, n) => (isSpaced(parts[n - 1], part) ? ` ${part.text}` : part.text))
      .join("");
    return { id, name, text: text.slice(0, maxRuleText) };
  });
};

const expiryOf = ({ expiry }: MailRoute): Pick<LogDetail, "expiry"> =>
  expiry === null ? {} : { expiry: JSON.parse(expiry) as NewExpiry };

/** Returns what the log keeps of a mail with a decision. */
export const detailOf = (decided: MailDecision): LogDetail => {
  const { route, from, size, evidence, spam, listed, decision, keptTrackers, removedTrackers, calendars } =
    decided;
  const checks = spam?.authentication ?? evidence?.authentication;
  return {
    from: shownAddress(route.log, from),
    size,
    ...causeOf(decided),
    rules: rulesOf(decided),
    ...(checks
      ? { checks: { spf: checks.spf, dkim: checks.dkim, dmarc: checks.dmarc, arc: checks.arc } }
      : {}),
    ...(spam ? { spam: { score: spam.score, threshold: spam.spamThreshold, reasons: spam.reasons } } : {}),
    ...(listed ? { list: listed } : {}),
    ...(decision.tags.length > 0 ? { tags: decision.tags } : {}),
    ...(keptTrackers ? { keptTrackers } : {}),
    ...(removedTrackers > 0 ? { removedTrackers } : {}),
    ...(calendars ? { calendars } : {}),
    ...expiryOf(route),
  };
};

const refusalCauses: ReadonlyMap<SmtpReply, LogCause> = new Map([
  [refusals.inactiveMask, "mask-off"],
  [refusals.awaitingConfirmation, "unconfirmed"],
  [refusals.monthlyLimitReached, "month-used"],
  [refusals.lastMailsPending, "month-last"],
  [refusals.limitReachedMeanwhile, "month-last"],
  [refusals.tooMuchFromSender, "sender-rate"],
  [refusals.dailyShareUsedUp, "sender-day"],
  [refusals.tooMuchKept, "no-room"],
  [refusals.tooMuchWaits, "no-room"],
]);

const monthCauses: readonly LogCause[] = ["month-used", "month-last"];

/** Returns what the log keeps of a mail to a mask that was refused with a reply. */
export const refusalDetail = (
  route: MailRoute,
  { sender, size }: { readonly sender: string; readonly size?: number },
  reply: SmtpReply,
): LogDetail => {
  const cause = refusalCauses.get(reply) ?? "unacceptable";
  return {
    from: shownAddress(route.log, sender),
    ...(size === undefined ? {} : { size }),
    cause,
    reply: `${reply.code} ${reply.status} ${reply.text}`,
    ...expiryOf(route),
    ...(monthCauses.includes(cause) ? { monthLimit: route.emailsPerMonth } : {}),
  };
};
