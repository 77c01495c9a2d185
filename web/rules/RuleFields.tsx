import type { FieldError } from "../../core/kernel/failure.ts";
import { longestRuleName } from "../../core/rules/rule.ts";
import { type RuleDraft, withAction, withCondition } from "../../core/rules/ruleDraft.ts";
import { ruleTypeLabels, ruleTypes } from "../../core/rules/ruleType.ts";
import { Button } from "../ui/Button.tsx";
import { Checkbox } from "../ui/Checkbox.tsx";
import { PlusIcon } from "../ui/icons/PlusIcon.tsx";
import { Select } from "../ui/Select.tsx";
import { TextField } from "../ui/TextField.tsx";
import { ActionRow } from "./ActionRow.tsx";
import { ConditionRow } from "./ConditionRow.tsx";
import styles from "./RuleDialog.module.css";

export interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly timeZone: string;
  readonly errors: readonly FieldError[];
  readonly isNew: boolean;
  readonly onChange: (draft: RuleDraft) => void;
}

/** The sentence about a field, if there is one. */
const about = (errors: readonly FieldError[], field: string): string | undefined =>
  errors.find((error) => error.field === field)?.message;

const Complaint = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p className={styles.complaint} role="alert">
      {text}
    </p>
  );

/** The fields of a rule, in the order in which they are checked (RU2, RU6). */
export const RuleFields = ({ draft, timeZone, errors, isNew, onChange }: RuleFieldsProps) => (
  <>
    <TextField
      label="Rule Name"
      value={draft.name}
      onChange={(name) => onChange({ ...draft, name })}
      error={about(errors, "name")}
      isRequired
      maxLength={longestRuleName}
      autoComplete="off"
      autoFocus={isNew}
    />
    <Select
      label="Rule Type"
      value={draft.type === "" ? undefined : draft.type}
      onChange={(type) => onChange({ ...draft, type })}
      options={ruleTypes.map((type) => ({ value: type, label: ruleTypeLabels[type] }))}
      error={about(errors, "type")}
    />
    <Complaint text={about(errors, "mask")} />
    <Checkbox
      label="Rule Enabled"
      isChecked={draft.enabled}
      onChange={(enabled) => onChange({ ...draft, enabled })}
    />
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Conditions</legend>
      {draft.conditions.length === 0 && (
        <p className={styles.none}>No conditions defined yet. Click "Add Condition" to get started.</p>
      )}
      {draft.conditions.map((condition, at) => (
        <ConditionRow
          key={condition.id}
          draft={draft}
          condition={condition}
          at={at}
          error={about(errors, `conditions.${condition.id}.value`)}
          onChange={onChange}
        />
      ))}
      <Complaint text={about(errors, "conditions")} />
      <Button
        size="small"
        icon={<PlusIcon size={16} />}
        onPress={() => onChange(withCondition(draft, timeZone))}
      >
        Add Condition
      </Button>
    </fieldset>
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Actions</legend>
      {draft.actions.length === 0 && (
        <p className={styles.none}>No actions defined yet. Click "Add Action" to get started.</p>
      )}
      {draft.actions.map((action, at) => (
        <ActionRow
          key={action.id}
          draft={draft}
          action={action}
          at={at}
          errorOf={(param) => about(errors, `actions.${action.id}.${param}`)}
          onChange={onChange}
        />
      ))}
      <Complaint text={about(errors, "actions")} />
      <Button size="small" icon={<PlusIcon size={16} />} onPress={() => onChange(withAction(draft))}>
        Add Action
      </Button>
    </fieldset>
    <Checkbox
      label="Stop here"
      isChecked={draft.stop}
      onChange={(stop) => onChange({ ...draft, stop })}
      description="Where this rule applies, the rules below it are not looked at."
    />
  </>
);
