import { useMemo, useState } from "react";
import { ruleOf } from "../../core/rules/checkRuleDraft.ts";
import type { Rule } from "../../core/rules/rule.ts";
import type { RuleDraft } from "../../core/rules/ruleDraft.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { Button } from "../ui/Button.tsx";
import { Opened } from "./Opened.tsx";
import { RulesSkeleton } from "./RulesSkeleton.tsx";
import type { RulesPart } from "./rulesPart.ts";
import styles from "./TestPanel.module.css";

const panel = makeChunk(
  () => import("./TestPanel.tsx"),
  (module) => module.TestPanel,
);

interface DraftTestProps {
  readonly part: RulesPart;
  readonly draft: RuleDraft;
  readonly rule: Rule | null;
  readonly maskId: string | null;
}

/** Tries the rule as it stands in the editor, alone. */
export const DraftTest = ({ part, draft, rule, maskId }: DraftTestProps) => {
  const [isOpen, setOpen] = useState(false);
  const tried = useMemo(() => {
    const named = draft.name.trim() === "" ? { ...draft, name: "This rule" } : draft;
    const typed = named.type === "" ? { ...named, type: "content_filter" as const } : named;
    const made = ruleOf(typed, { maskId }, { id: rule?.id ?? "draft", now: "1970-01-01T00:00:00.000Z" });
    return made._tag === "Right" ? [made.right] : null;
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
    <Opened label="Test a mail">
      {tried ? (
        <Late chunk={panel} skeleton={<RulesSkeleton />} part={part} maskId={maskId} rules={tried} />
      ) : (
        <p className={styles.saw}>Complete a condition and an action to test this rule.</p>
      )}
    </Opened>
  );
};
