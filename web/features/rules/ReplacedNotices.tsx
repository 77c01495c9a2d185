import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import type { RulePart } from "../../../core/rules/model/mergeRules.ts";
import { ruleSummary, summaryText } from "../../../core/rules/model/ruleSummary.ts";
import { useAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import styles from "./RulesTab.module.css";

const partNames: Readonly<Record<RulePart, string>> = {
  name: "the name",
  type: "the type",
  enabled: "the switch",
  conditions: "the conditions",
  actions: "the actions",
  metadata: "“Stop here”",
};

/** Names parts of a rule in a sentence: "the name and the conditions". */
export const describeParts = (parts: readonly RulePart[]): string => {
  const names = parts.map((part) => partNames[part]);
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
};

/** Describes a rule in one sentence. */
export const describeRule = (rule: Parameters<typeof ruleSummary>[0]): string =>
  summaryText(ruleSummary(rule));

/** Shows rule changes that replaced, or were replaced by, those of another device, and offers to undo that. */
export const ReplacedNotices = () => {
  const { sync, rules } = useFeature(createRulesAndSync);
  const replaced = useObservable(sync.replaced$);
  const take = useAction(rules.takeParts);
  return replaced.map((one) => {
    const { maskId, mine, theirs, parts, kept } = one;
    const other = kept === "mine" ? theirs : mine;
    const choose = (chosen: typeof mine) => {
      sync.dismissReplaced(one);
      const isKept = chosen === (kept === "mine" ? mine : theirs);
      if (!isKept) take.run(chosen, parts, maskId);
    };
    return (
      <Banner
        key={`${maskId} ${mine.id}`}
        kind="warning"
        action={
          <span className={styles.refused}>
            <Button size="small" onPress={() => choose(mine)}>
              Keep mine
            </Button>
            <Button size="small" onPress={() => choose(theirs)}>
              Keep the other
            </Button>
          </span>
        }
      >
        “{mine.name}” was changed on two devices: {describeParts(parts)}.{" "}
        {kept === "mine" ? "Your change has replaced this one:" : "A later change has replaced yours:"}{" "}
        {describeRule(other)}.
      </Banner>
    );
  });
};
