import type { Rule } from "../../core/rules/rule.ts";
import { ruleSummary } from "../../core/rules/ruleSummary.ts";
import styles from "./RuleCard.module.css";

/** What a rule does, as one sentence: "If subject contains sale then tag Important". */
export const RuleSentence = ({ rule }: { readonly rule: Rule }) => (
  <p className={styles.sentence}>
    {ruleSummary(rule).map(({ kind, text }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence have no other name
      <span key={at} className={kind === "value" ? styles.value : undefined}>
        {at > 0 && text !== "," ? " " : ""}
        {text}
      </span>
    ))}
  </p>
);
