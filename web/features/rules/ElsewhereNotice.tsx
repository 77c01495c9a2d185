import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import { buildRule } from "../../../core/rules/editing/checkRuleDraft.ts";
import { type RuleDraft, toRuleDraft } from "../../../core/rules/editing/ruleDraft.ts";
import { type RulePart, withParts } from "../../../core/rules/model/mergeRules.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import { findConflicts } from "../../../core/rules/sync/replacedRules.ts";
import { localTimeZone } from "../../format/dates.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import styles from "./form/RuleDialog.module.css";
import { describeParts, describeRule } from "./ReplacedNotices.tsx";

/** The rule as another device has changed it, and the parts that the draft changes too. */
interface Conflict {
  readonly theirs: Rule;
  readonly parts: readonly RulePart[];
  /** The draft with these parts as the other device has them. */
  readonly withTheirs: RuleDraft;
}

/** The current version in the list of the rule being edited. */
interface Elsewhere {
  readonly isGone: boolean;
  readonly conflict: Conflict | null;
}

const nothing: Elsewhere = { isGone: false, conflict: null };

/** Compares an edited rule with its current version, which other devices may have changed since it was opened. */
export const useElsewhere = (opened: Rule | null, draft: RuleDraft, maskId: string | null): Elsewhere => {
  const { rules } = useFeature(createRulesAndSync);
  const view = useObservable(rules.view$);
  const list = view.lists.find(({ id }) => id === maskId);
  if (opened === null || list === undefined) return nothing;
  const theirs = list.rules.find(({ rule }) => rule.id === opened.id)?.rule;
  if (!theirs) return { isGone: true, conflict: null };
  const mine = buildRule(draft, { maskId }, { id: opened.id, now: opened.updatedAt ?? "", before: opened });
  const parts = mine._tag === "Right" ? findConflicts(opened, mine.right, theirs) : [];
  if (mine._tag === "Left" || parts.length === 0) return nothing;
  const withTheirs = toRuleDraft(withParts(mine.right, theirs, parts), localTimeZone());
  return { isGone: false, conflict: { theirs, parts, withTheirs } };
};

/** Says that an edited rule was deleted elsewhere, and keeps it as a new one. */
export const GoneNotice = ({
  isPending,
  onSaveAsNew,
}: {
  readonly isPending: boolean;
  readonly onSaveAsNew: () => void;
}) => (
  <Banner
    kind="warning"
    action={
      <Button size="small" onPress={onSaveAsNew} isPending={isPending}>
        Save as a new rule
      </Button>
    }
  >
    This rule was deleted on another device. You can still keep what you see here.
  </Banner>
);

/** Shows how another device has changed parts that the draft changes too, and asks which version is kept. */
export const ConflictNotice = ({
  conflict,
  onKeepMine,
  onTakeTheirs,
}: {
  readonly conflict: Conflict;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: (draft: RuleDraft) => void;
}) => (
  <Banner
    kind="warning"
    action={
      <span className={styles.choices}>
        <Button size="small" onPress={onKeepMine}>
          Keep mine
        </Button>
        <Button size="small" onPress={() => onTakeTheirs(conflict.withTheirs)}>
          Use the other version
        </Button>
      </span>
    }
  >
    Another device has changed {describeParts(conflict.parts)} of this rule meanwhile:{" "}
    {describeRule(conflict.theirs)}. Saving yours replaces that.
  </Banner>
);
