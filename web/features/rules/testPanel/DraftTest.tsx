import { useMemo, useState } from "react";
import { buildRule } from "../../../../core/rules/editing/checkRuleDraft.ts";
import type { RuleDraft } from "../../../../core/rules/editing/ruleDraft.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { placeOfList } from "../../../../core/rules/model/rulePlace.ts";
import { createChunk } from "../../../loading/chunk.ts";
import { Lazy } from "../../../loading/Lazy.tsx";
import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { RulesSkeleton } from "../RulesSkeleton.tsx";
import { FocusedPanel } from "./FocusedPanel.tsx";
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
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  /** A rule for all masks is tested as a rule of the first one. */
  const testedMask = maskId !== null && placeOfList(maskId) === null ? maskId : all[0]?.id;
  const testedRules = useMemo(() => {
    const withName = draft.name.trim() === "" ? { ...draft, name: "This rule" } : draft;
    const withType = withName.type === "" ? { ...withName, type: "content_filter" as const } : withName;
    const result = buildRule(
      withType,
      { maskId },
      { id: rule?.id ?? "draft", now: "1970-01-01T00:00:00.000Z" },
    );
    return result._tag === "Right" ? { before: [], mask: [result.right], after: [] } : null;
  }, [draft, rule, maskId]);

  if (!isOpen || maskId === null || testedMask === undefined)
    return (
      <span>
        <Button size="small" isDisabled={maskId === null} onPress={() => setOpen(true)}>
          Test an email
        </Button>
      </span>
    );
  return (
    <FocusedPanel label="Test an email">
      {testedRules ? (
        <Lazy chunk={panel} skeleton={<RulesSkeleton />}>
          {(TestPanel) => <TestPanel maskId={testedMask} rules={testedRules} />}
        </Lazy>
      ) : (
        <p className={styles.saw}>Complete a condition and an action to test this rule.</p>
      )}
    </FocusedPanel>
  );
};
