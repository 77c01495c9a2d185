import type { FieldError } from "../../core/kernel/failure.ts";
import {
  type ActionDraft,
  changeAction,
  type RuleDraft,
  withAction,
  withCondition,
  withParam,
  withType,
} from "../../core/rules/editing/ruleDraft.ts";
import { actionEntry, actionTypes } from "../../core/rules/model/actionType.ts";
import { maxRuleNameLength } from "../../core/rules/model/rule.ts";
import { ruleTypeLabels, ruleTypes } from "../../core/rules/model/ruleType.ts";
import { Button } from "../ui/Button.tsx";
import { Checkbox } from "../ui/Checkbox.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { PlusIcon, TrashIcon } from "../ui/moreIcons.tsx";
import { Select } from "../ui/Select.tsx";
import { TextArea } from "../ui/TextArea.tsx";
import { TextField } from "../ui/TextField.tsx";
import { ConditionRow } from "./ConditionRow.tsx";
import styles from "./RuleDialog.module.css";

interface ActionRowProps {
  readonly draft: RuleDraft;
  readonly action: ActionDraft;
  readonly index: number;
  readonly errorOf: (param: string) => string | undefined;
  readonly onChange: (draft: RuleDraft) => void;
}

/** Edits one action and its parameters (RU4). */
const ActionRow = ({ draft, action, index, errorOf, onChange }: ActionRowProps) => {
  const { type, params } = action;
  const name = `Action ${index + 1}`;
  const change = (edit: (one: ActionDraft) => ActionDraft | null): void =>
    onChange(changeAction(draft, action.id, edit));
  const param = (key: string, value: string | boolean): void => change((one) => withParam(one, key, value));

  return (
    <div className={styles.row}>
      <div className={styles.inputs}>
        <Select
          label={`${name}: what happens`}
          isLabelHidden
          placeholder="Action…"
          value={type === "" ? undefined : type}
          onChange={(next) => change((one) => withType(one, next))}
          options={actionTypes.map((one) => ({ value: one, label: actionEntry(one).label }))}
        />
        {type !== "" &&
          Object.entries(actionEntry(type).params).map(([key, { label, input }]) =>
            input === "flag" ? (
              <div key={key} className={styles.flag}>
                <Checkbox
                  label={label}
                  isChecked={params[key] === true}
                  onChange={(value) => param(key, value)}
                  error={errorOf(key)}
                />
              </div>
            ) : input === "text" ? (
              <TextArea
                key={key}
                label={label}
                value={String(params[key] ?? "")}
                onChange={(value) => param(key, value)}
                error={errorOf(key)}
              />
            ) : (
              <TextField
                key={key}
                label={label}
                type={input === "address" ? "email" : "text"}
                value={String(params[key] ?? "")}
                onChange={(value) => param(key, value)}
                error={errorOf(key)}
                autoComplete="off"
              />
            ),
          )}
      </div>
      <IconButton
        label={`Remove ${name.toLowerCase()}`}
        icon={<TrashIcon size={18} />}
        onPress={() => change(() => null)}
      />
    </div>
  );
};

export interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly timeZone: string;
  readonly errors: readonly FieldError[];
  readonly isNew: boolean;
  readonly onChange: (draft: RuleDraft) => void;
}

/** Returns the error message of a field, if there is one. */
const findMessage = (errors: readonly FieldError[], field: string): string | undefined =>
  errors.find((error) => error.field === field)?.message;

const FieldsetError = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p className={styles.complaint} role="alert">
      {text}
    </p>
  );

/** The fields of a rule, in the order of their validation (RU2, RU6). */
export const RuleFields = ({ draft, timeZone, errors, isNew, onChange }: RuleFieldsProps) => (
  <>
    <TextField
      label="Rule Name"
      value={draft.name}
      onChange={(name) => onChange({ ...draft, name })}
      error={findMessage(errors, "name")}
      isRequired
      maxLength={maxRuleNameLength}
      autoComplete="off"
      autoFocus={isNew}
    />
    <Select
      label="Rule Type"
      value={draft.type === "" ? undefined : draft.type}
      onChange={(type) => onChange({ ...draft, type })}
      options={ruleTypes.map((type) => ({ value: type, label: ruleTypeLabels[type] }))}
      error={findMessage(errors, "type")}
    />
    <FieldsetError text={findMessage(errors, "mask")} />
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
      {draft.conditions.map((condition, index) => (
        <ConditionRow
          key={condition.id}
          draft={draft}
          condition={condition}
          index={index}
          error={findMessage(errors, `conditions.${condition.id}.value`)}
          onChange={onChange}
        />
      ))}
      <FieldsetError text={findMessage(errors, "conditions")} />
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
      {draft.actions.map((action, index) => (
        <ActionRow
          key={action.id}
          draft={draft}
          action={action}
          index={index}
          errorOf={(param) => findMessage(errors, `actions.${action.id}.${param}`)}
          onChange={onChange}
        />
      ))}
      <FieldsetError text={findMessage(errors, "actions")} />
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
