import { type ReactNode, useState } from "react";
import { checkRuleDraft } from "../../core/rules/checkRuleDraft.ts";
import type { Rule } from "../../core/rules/rule.ts";
import { emptyRuleDraft, type RuleDraft, ruleDraftOf } from "../../core/rules/ruleDraft.ts";
import type { Around } from "../binding/around.ts";
import { useAction } from "../binding/useAction.ts";
import { Button } from "../ui/Button.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { DiscardQuestion } from "../ui/DiscardQuestion.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { useDiscard } from "../ui/useDiscard.ts";
import { ownTimeZone } from "../wording/timeZone.ts";
import { DraftTest } from "./DraftTest.tsx";
import styles from "./RuleDialog.module.css";
import { RuleFields } from "./RuleFields.tsx";
import type { RulesPart } from "./rulesPart.ts";

interface RuleDialogProps {
  readonly part: RulesPart;
  /** null: a new rule. */
  readonly rule: Rule | null;
  readonly maskId: string | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** What a new rule is filled with, when a suggestion has asked for it. */
  readonly suggested?: {
    readonly draft: RuleDraft;
    readonly around: Around;
    readonly onCreated: () => void;
    /** Where its mask is chosen. */
    readonly place: ReactNode;
  };
}

/** Makes or changes a rule (RU2). */
export const RuleDialog = ({ part, rule, maskId, isOpen, onClose, suggested }: RuleDialogProps) => {
  const { rules } = part;
  const [first] = useState(() =>
    rule ? ruleDraftOf(rule, ownTimeZone()) : (suggested?.draft ?? emptyRuleDraft),
  );
  const [opened] = useState(rule);
  const [draft, setDraft] = useState(first);
  const [isAskedToDelete, setAskedToDelete] = useState(false);
  const [wasSubmitted, setSubmitted] = useState(false);
  const save = useAction(
    () =>
      opened
        ? rules.update(opened.id, draft, maskId, opened)
        : suggested
          ? suggested.around(rules.create(draft, maskId, "suggestion"))
          : rules.create(draft, maskId),
    { onSuccess: suggested?.onCreated ?? onClose },
  );
  const remove = useAction(rules.remove, { onSuccess: onClose });
  const discard = useDiscard(JSON.stringify(draft) !== JSON.stringify(first), onClose);
  const errors = wasSubmitted ? (save.problem?.fields ?? checkRuleDraft(draft, { maskId })) : [];

  return (
    <Dialog
      isOpen={isOpen}
      onClose={discard.ask}
      title={rule ? "Edit Rule" : suggested ? "Create Rule from Suggestion" : "Create New Rule"}
      size="large"
      isPending={save.isRunning || remove.isRunning}
      onSubmit={() => {
        setSubmitted(true);
        save.run();
      }}
      footer={
        discard.isAsking ? (
          <DiscardQuestion onKeep={discard.keep} onDiscard={onClose} />
        ) : (
          <>
            {rule && (
              <Button
                variant="quietDanger"
                className={styles.delete}
                isDisabled={save.isRunning}
                onPress={() => setAskedToDelete(true)}
              >
                Delete Rule
              </Button>
            )}
            <Button onPress={discard.ask} isDisabled={save.isRunning || remove.isRunning}>
              Cancel
            </Button>
            <Button
              type="submit"
              variant="primary"
              isPending={save.isRunning}
              pendingLabel="Saving..."
              isDisabled={remove.isRunning}
            >
              Save Rule
            </Button>
          </>
        )
      }
    >
      <ProblemBanner problem={save.problem} />
      {suggested?.place}
      <RuleFields
        draft={draft}
        timeZone={ownTimeZone()}
        errors={errors}
        isNew={rule === null}
        onChange={(next) => {
          setDraft(next);
          save.forget();
        }}
      />
      <DraftTest part={part} draft={draft} rule={rule} maskId={maskId} />
      {rule && (
        <ConfirmDialog
          isOpen={isAskedToDelete}
          title="Delete rule?"
          confirmLabel="Delete"
          pendingLabel="Deleting…"
          isDanger
          isPending={remove.isRunning}
          onConfirm={() => remove.run(rule.id, maskId)}
          onCancel={() => setAskedToDelete(false)}
        >
          <p>Are you sure you want to delete this rule? This action cannot be undone.</p>
        </ConfirmDialog>
      )}
    </Dialog>
  );
};
