import { useMemo, useState } from "react";
import { buildRule } from "../../core/rules/editing/checkRuleDraft.ts";
import type { RuleDraft } from "../../core/rules/editing/ruleDraft.ts";
import type { Rule } from "../../core/rules/model/rule.ts";
import { createChunk } from "../loading/chunk.ts";
import { Lazy } from "../loading/Lazy.tsx";
import { Button } from "../ui/Button.tsx";
import { FocusedPanel } from "./FocusedPanel.tsx";
import { RulesSkeleton } from "./RulesSkeleton.tsx";
import styles from "./TestPanel.module.css";

const panel = createChunk(
  () => import("./TestPanel.tsx"),
  (module) => module.TestPanel,
);

interface DraftTestProps {
  readonly draft: RuleDraft;
  readonly rule: Rule | null;
  readonly maskId: string | null;
}

/** Tests a mail on the edited rule alone. */
export const DraftTest = ({ draft, rule, maskId }: DraftTestProps) => {
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
        <Lazy chunk={panel} skeleton={<RulesSkeleton />}>
          {(TestPanel) => <TestPanel maskId={maskId} rules={testedRules} />}
        </Lazy>
      ) : (
        <p className={styles.saw}>Complete a condition and an action to test this rule.</p>
      )}
    </FocusedPanel>
  );
};
