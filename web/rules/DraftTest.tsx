import { useMemo, useState } from "react";
import { buildRule } from "../../core/rules/editing/checkRuleDraft.ts";
import type { RuleDraft } from "../../core/rules/editing/ruleDraft.ts";
import type { Rule } from "../../core/rules/model/rule.ts";
import { createChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { Button } from "../ui/Button.tsx";
import { FocusedPanel } from "./FocusedPanel.tsx";
import { RulesSkeleton } from "./RulesSkeleton.tsx";
import type { RulesPart } from "./rulesPart.ts";
import styles from "./TestPanel.module.css";

const panel = createChunk(
  () => import("./TestPanel.tsx"),
  (module) => module.TestPanel,
);

interface DraftTestProps {
  readonly part: RulesPart;
  readonly draft: RuleDraft;
  readonly rule: Rule | null;
  readonly maskId: string | null;
}

/** Tests a mail on the edited rule alone. */
export const DraftTest = ({ part, draft, rule, maskId }: DraftTestProps) => {
  const [isOpen, setOpen] = useState(false);
  const testedRules = useMemo(() => {
    const withName = draft.name.trim() === "" ? { ...draft, name: "This rule" } : draft;
    const withType = withName.type === "" ? { ...withName, type: "content_filter" as const } : withName;
    const result = buildRule(
      withType,
      { maskId },
      { id: rule?.id ?? "draft", now: "1970-01-01T00:00:00.000Z" },
    );
    return result._tag === "Right" ? [result.right] : null;
  }, [draft, rule, maskId]);

  if (!isOpen || maskId === null)
    return (
      <span>
        <Button size="small" isDisabled={maskId === null} onPress={() => setOpen(true)}>
          Test a mail
        </Button>
      </span>
    );
  return (
    <FocusedPanel label="Test a mail">
      {testedRules ? (
        <Late chunk={panel} skeleton={<RulesSkeleton />} part={part} maskId={maskId} rules={testedRules} />
      ) : (
        <p className={styles.saw}>Complete a condition and an action to test this rule.</p>
      )}
    </FocusedPanel>
  );
};
