import type { MailHeader } from "../../../../core/mail/parsedMail.ts";
import type { Decision } from "../../../../core/rules/engine/decision.ts";
import {
  type ConditionExplanation,
  type RuleExplanation,
  reasonMessages,
} from "../../../../core/rules/engine/explanation.ts";
import { writtenProof } from "../../../../core/rules/engine/facts.ts";
import { autoReplyDays } from "../../../../core/rules/model/action.ts";
import { actionEntry } from "../../../../core/rules/model/actionType.ts";
import { conditionPhrase } from "../../../../core/rules/model/condition.ts";
import { findOperatorChoice } from "../../../../core/rules/model/conditionField.ts";
import { groupLabels, isGroup } from "../../../../core/rules/model/conditionGroup.ts";
import type { ConditionValue } from "../../../../core/rules/model/conditionValue.ts";
import { accountListNames } from "../../../../core/rules/model/rulePlace.ts";
import { Badge } from "../../../ui/Badge.tsx";
import styles from "./TestPanel.module.css";

const joinAddresses = (addresses: readonly string[]): string => addresses.join(", ");

/** Describes what happens to a mail, one sentence for each effect. */
export const describeDecision = (decision: Decision): readonly string[] => {
  const {
    block,
    destinations,
    digest,
    dailyDigest,
    archive,
    tags,
    subject,
    removeTrackers,
    notify,
    autoReply,
    hold,
  } = decision;
  if (block !== null)
    return [
      block.how === "silent"
        ? "The email is dropped. The sender is not notified."
        : "The email is refused. The sender is notified.",
    ];
  return [
    ...(hold === null ? [] : ["The email is held until you decide. Once released:"]),
    ...(destinations.length > 0 ? [`The email is forwarded to ${joinAddresses(destinations)}.`] : []),
    ...(digest.length > 0 ? [`It goes to ${joinAddresses(digest)} with the next hourly mail.`] : []),
    ...(dailyDigest.length > 0 ? [`It goes to ${joinAddresses(dailyDigest)} with the next daily mail.`] : []),
    ...(archive ? [`It is kept in the archive${archive.markAsRead ? ", marked as read" : ""}.`] : []),
    ...(tags.length > 0 ? [`It is tagged ${joinAddresses(tags)}.`] : []),
    ...(subject !== null ? [`Its subject becomes “${subject}”.`] : []),
    ...(removeTrackers ? ["Trackers are removed from it."] : []),
    ...(notify.length > 0 ? ["You are notified."] : []),
    ...(autoReply ? [`Its sender gets an answer, once in ${autoReplyDays} days.`] : []),
  ];
};

const outcomes = {
  matched: <Badge kind="success">Applies</Badge>,
  "not-matched": <Badge>Does not apply</Badge>,
  "not-looked-at": <Badge>Not looked at</Badge>,
};

const valueText = (value: ConditionValue): string => {
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "object" && "startTime" in value)
    return `${value.startTime} to ${value.endTime} (${value.timeZone})`;
  return String(value);
};

const Compared = ({ condition }: Pick<ConditionExplanation, "condition">) =>
  isGroup(condition) ? (
    groupLabels[condition.match]
  ) : (
    <>
      {conditionPhrase(condition)}{" "}
      {findOperatorChoice(condition.field, condition.operator)?.phrase ?? condition.operator}{" "}
      <strong>{valueText(condition.value)}</strong>
    </>
  );

const Condition = ({ condition, actual, matched, reason, parts }: ConditionExplanation) => (
  <li className={styles.condition}>
    <span className={matched ? styles.yes : styles.no}>{matched ? "Yes" : "No"}</span>
    <span>
      <Compared condition={condition} />
      {actual !== null && <span className={styles.saw}> — saw “{String(actual)}”</span>}
      {reason !== null && <span className={styles.saw}> — {reasonMessages[reason]}</span>}
      <Conditions conditions={parts} />
    </span>
  </li>
);

const Conditions = ({ conditions }: { readonly conditions: readonly ConditionExplanation[] }) =>
  conditions.length === 0 ? null : (
    <ul className={styles.conditions}>
      {conditions.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a condition is identified by its index
        <Condition key={at} {...one} />
      ))}
    </ul>
  );

const Rule = ({ name, place, outcome, reason: why, conditions, actions }: RuleExplanation) => (
  <li className={styles.rule}>
    <p className={styles.ruleName}>
      {name} {place && <Badge>{accountListNames[place]}</Badge>} {outcomes[outcome]}
    </p>
    {why !== null && <p className={styles.saw}>{reasonMessages[why]}</p>}
    <Conditions conditions={conditions} />
    {actions
      .filter((action) => action.reason !== null)
      .map(({ action, reason }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an action is identified by its index; a rule may have two of a type
        <p key={at} className={styles.saw}>
          {actionEntry(action.type).label}: {reason && reasonMessages[reason]}
        </p>
      ))}
  </li>
);

/** Says what the checks of a mail's sender found, where its first Authentication-Results states it. */
export const SenderChecks = ({ headers }: { readonly headers: readonly MailHeader[] }) => {
  const proof = writtenProof(headers);
  if (proof === null) return null;
  const { spf, dkim, dmarc, arc } = proof;
  return <p>{`Checks of the sender: SPF ${spf}, DKIM ${dkim}, DMARC ${dmarc}, ARC ${arc}.`}</p>;
};

/** Explains for each rule and each of its conditions what it compared and whether it matched. */
export const Explanation = ({ explanation }: { readonly explanation: readonly RuleExplanation[] }) => (
  <ol className={styles.rules} aria-label="Why">
    {explanation.map((rule) => (
      <Rule key={`${rule.place ?? ""} ${rule.ruleId}`} {...rule} />
    ))}
  </ol>
);
