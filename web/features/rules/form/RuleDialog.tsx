import { useRef, useState } from "react";
import type { Problem } from "../../../../core/api/errorMessages.ts";
import { createRulesAndSync } from "../../../../core/app/rulesAndSync.ts";
import { checkRuleDraft } from "../../../../core/rules/editing/checkRuleDraft.ts";
import { newRuleDraft, withBlankParts, withProposals } from "../../../../core/rules/editing/proposeRule.ts";
import { type RuleDraft, toRuleDraft } from "../../../../core/rules/editing/ruleDraft.ts";
import { listOfScope, withScope } from "../../../../core/rules/editing/ruleScope.ts";
import { decodeRuleDraft } from "../../../../core/rules/editing/storedRuleDraft.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import { localTimeZone } from "../../../format/dates.ts";
import { type ActionWrapper, useFormAction } from "../../../react/useAction.ts";
import { useFeature } from "../../../react/useApp.ts";
import { useFormDraft } from "../../../react/useFormDraft.ts";
import { Button } from "../../../ui/Button.tsx";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../../ui/feedback/ProblemBanner.tsx";
import { useFirstError } from "../../../ui/form/useFirstError.ts";
import { Dialog } from "../../../ui/overlay/Dialog.tsx";
import { DiscardQuestion, restoredText, useDiscardQuestion } from "../../../ui/overlay/DiscardQuestion.tsx";
import { DeleteRuleDialog } from "../DeleteRuleDialog.tsx";
import { ConflictNotice, GoneNotice, useElsewhere } from "../ElsewhereNotice.tsx";
import { DraftTest } from "../testPanel/DraftTest.tsx";
import styles from "./RuleDialog.module.css";
import { findMessage, RuleFields } from "./RuleFields.tsx";
import { FixedScope, ScopeChoice, useScopes } from "./ScopeChoice.tsx";

interface RuleDialogProps {
  /** Null creates a new rule. */
  readonly rule: Rule | null;
  /** The list of the rule; of a new one the list that is chosen first. */
  readonly listId: string | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called with the list of a new rule. */
  readonly onCreated?: (listId: string) => void;
  readonly suggested?: {
    readonly draft: RuleDraft;
    /** Marks the suggestion as applied with the rule; without it the rule is one of its owner. */
    readonly wrap?: ActionWrapper;
  };
}

const titleOf = ({ rule, suggested }: RuleDialogProps): string => {
  if (rule) return "Edit Rule";
  return suggested?.wrap ? "Create Rule from Suggestion" : "Create New Rule";
};

/** The draft of a dialog, which survives a reload until the dialog is left. */
const useRuleDraft = ({ rule, listId, onClose, suggested }: Omit<RuleDialogProps, "isOpen">) => {
  const [initialDraft] = useState(() => {
    if (rule) return toRuleDraft(rule, localTimeZone());
    return suggested ? withBlankParts(suggested.draft, localTimeZone()) : newRuleDraft(localTimeZone());
  });
  const form = rule ? `rule:${rule.id}` : `rule:new:${listId}`;
  const { restored, keep } = useFormDraft(suggested ? null : form, decodeRuleDraft);
  const [draft, setDraft] = useState(restored ?? initialDraft);
  const isDifferent = (other: RuleDraft): boolean => JSON.stringify(other) !== JSON.stringify(initialDraft);
  return {
    draft,
    isChanged: isDifferent(draft),
    isRestored: restored !== null,
    change: (next: RuleDraft): void => {
      setDraft(next);
      keep(isDifferent(next) ? next : null);
    },
    leave: (): void => {
      keep(null);
      onClose();
    },
  };
};

/** The scope of a new rule, with what it makes of the draft; a stored rule stays in its list. */
const scopeOf = (
  { rule, listId }: RuleDialogProps,
  draft: RuleDraft,
  isKnown: ReturnType<typeof useScopes>["isKnown"],
) => {
  if (rule) return { scope: null, scoped: draft, listId };
  const scope = draft.scope ?? listId;
  return isKnown(scope)
    ? { scope, scoped: withScope(draft, scope, localTimeZone()), listId: listOfScope(scope) }
    : { scope: null, scoped: draft, listId: null };
};

/** True if the message stands above the fields; what is wrong with the fields themselves stands beside them. */
const isShownWhole = ({ fields, failure }: Problem): boolean =>
  fields.length === 0 || failure.kind === "refused";

interface RuleButtonsProps {
  readonly isSaving: boolean;
  readonly isDeleting: boolean;
  /** null for a new rule. */
  readonly onDelete: (() => void) | null;
  readonly onCancel: () => void;
}

const RuleButtons = ({ isSaving, isDeleting, onDelete, onCancel }: RuleButtonsProps) => (
  <>
    {onDelete && (
      <Button variant="quietDanger" className={styles.delete} isDisabled={isSaving} onPress={onDelete}>
        Delete Rule
      </Button>
    )}
    <Button onPress={onCancel} isDisabled={isSaving || isDeleting}>
      Cancel
    </Button>
    <Button
      type="submit"
      variant="primary"
      isPending={isSaving}
      pendingLabel="Saving..."
      isDisabled={isDeleting}
    >
      Save Rule
    </Button>
  </>
);

/** Creates or edits a rule (RU2). */
export const RuleDialog = (props: RuleDialogProps) => {
  const { rule, isOpen, suggested } = props;
  const { rules } = useFeature(createRulesAndSync);
  const [originalRule] = useState(rule);
  const { draft, change, leave, isChanged, isRestored } = useRuleDraft(props);
  const scopes = useScopes();
  const { scope, scoped, listId } = scopeOf(props, draft, scopes.isKnown);
  const [isConfirmingDelete, setConfirmingDelete] = useState(false);
  const [wasSubmitted, setSubmitted] = useState(false);
  const saveTask = () => {
    if (originalRule) return rules.update(originalRule.id, draft, listId, originalRule);
    return suggested?.wrap
      ? suggested.wrap(rules.create(scoped, listId, "suggestion"))
      : rules.create(scoped, listId);
  };
  const created = (): void => {
    if (!originalRule && listId !== null) props.onCreated?.(listId);
    leave();
  };
  const save = useFormAction(saveTask, {
    onSuccess: created,
    isShown: isShownWhole,
  });
  const saveAsNew = useFormAction(() => rules.create(draft, listId), {
    onSuccess: leave,
    isShown: isShownWhole,
  });
  const remove = useFormAction(rules.remove, { onSuccess: leave });
  const { isGone, conflict } = useElsewhere(originalRule, draft, listId);
  const [isConflictShown, setConflictShown] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const named = useRef<HTMLDivElement>(null);
  const problem = save.problem ?? saveAsNew.problem;
  useFirstError(fields, problem);
  useFirstError(named, problem);
  const saveMine = (): void => {
    setSubmitted(true);
    setConflictShown(false);
    save.run();
  };
  const discard = useDiscardQuestion(isChanged, leave);
  const errors = wasSubmitted ? (problem?.fields ?? checkRuleDraft(draft, { maskId: listId })) : [];

  return (
    <Dialog
      isOpen={isOpen}
      onClose={discard.requestClose}
      title={titleOf(props)}
      size="large"
      isPending={save.isRunning || saveAsNew.isRunning || remove.isRunning}
      onSubmit={() => (conflict ? setConflictShown(true) : saveMine())}
      footer={
        discard.isConfirming ? (
          <DiscardQuestion onKeep={discard.cancel} onDiscard={leave} />
        ) : (
          <RuleButtons
            isSaving={save.isRunning}
            isDeleting={remove.isRunning}
            onDelete={rule ? () => setConfirmingDelete(true) : null}
            onCancel={discard.requestClose}
          />
        )
      }
    >
      {isRestored && <Banner>{restoredText}</Banner>}
      <ProblemBanner problem={problem && isShownWhole(problem) ? problem : null} />
      {isGone && isOpen && !remove.isRunning && (
        <GoneNotice isPending={saveAsNew.isRunning} onSaveAsNew={() => saveAsNew.run()} />
      )}
      {conflict && isConflictShown && (
        <ConflictNotice
          conflict={conflict}
          onKeepMine={saveMine}
          onTakeTheirs={(next) => {
            change(next);
            setConflictShown(false);
          }}
        />
      )}
      <div ref={fields} className={styles.fields}>
        {rule ? (
          <FixedScope listId={listId} />
        ) : (
          <ScopeChoice
            groups={scopes.groups}
            scope={scope}
            error={findMessage(errors, "mask")}
            onChange={(chosen) => {
              change({ ...draft, scope: chosen });
              save.clearProblem();
            }}
          />
        )}
        <RuleFields
          draft={draft}
          timeZone={localTimeZone()}
          errors={errors}
          isNew={rule === null}
          named={named}
          onChange={(next) => {
            change(withProposals(draft, next));
            save.clearProblem();
          }}
        />
      </div>
      <DraftTest draft={scoped} rule={rule} maskId={listId} />
      {rule && (
        <DeleteRuleDialog
          isOpen={isConfirmingDelete}
          isPending={remove.isRunning}
          problem={remove.problem}
          onConfirm={() => remove.run(rule.id, listId)}
          onCancel={() => setConfirmingDelete(false)}
        />
      )}
    </Dialog>
  );
};
