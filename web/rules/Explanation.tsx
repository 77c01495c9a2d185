import type { ExplainedDecision } from "../../core/relay/explanation.ts";
import { reasonSentences } from "../../core/relay/explanation.ts";
import { actionEntry } from "../../core/rules/actionType.ts";
import { fieldEntry, operatorChoice } from "../../core/rules/conditionField.ts";
import type { ConditionValue } from "../../core/rules/conditionValue.ts";
import { Badge } from "../ui/Badge.tsx";
import styles from "./TestPanel.module.css";

type RuleExplanation = ExplainedDecision["explanation"][number];
type ConditionExplanation = RuleExplanation["conditions"][number];

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

const Condition = ({ condition, saw, matched, why }: ConditionExplanation) => (
  <li className={styles.condition}>
    <span className={matched ? styles.yes : styles.no}>{matched ? "Yes" : "No"}</span>
    <span>
      {fieldEntry(condition.field).phrase}{" "}
      {operatorChoice(condition.field, condition.operator)?.phrase ?? condition.operator}{" "}
      <strong>{valueText(condition.value)}</strong>
      {saw !== null && <span className={styles.saw}> — saw “{String(saw)}”</span>}
      {why !== null && <span className={styles.saw}> — {reasonSentences[why]}</span>}
    </span>
  </li>
);

const Rule = ({ name, outcome, why, conditions, actions }: RuleExplanation) => (
  <li className={styles.rule}>
    <p className={styles.ruleName}>
      {name} {outcomes[outcome]}
    </p>
    {why !== null && <p className={styles.saw}>{reasonSentences[why]}</p>}
    {conditions.length > 0 && (
      <ul className={styles.conditions}>
        {conditions.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name
          <Condition key={at} {...one} />
        ))}
      </ul>
    )}
    {actions
      .filter((action) => action.why !== null)
      .map(({ action, why: reason }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an action is its place; a rule may have two of a type
        <p key={at} className={styles.saw}>
          {actionEntry(action.type).label}: {reason && reasonSentences[reason]}
        </p>
      ))}
  </li>
);

/** Each rule, each condition, what it saw and what it made of it. */
export const Explanation = ({ explanation }: { readonly explanation: ExplainedDecision["explanation"] }) => (
  <ol className={styles.rules} aria-label="Why">
    {explanation.map((rule) => (
      <Rule key={rule.ruleId} {...rule} />
    ))}
  </ol>
);
