import { useState } from "react";
import { maxNameLength } from "../../../../core/api/textCodecs.ts";
import type { FieldError } from "../../../../core/kernel/failure.ts";
import {
  type ActionDraft,
  changeAction,
  type RuleDraft,
  withAction,
  withParam,
  withType,
} from "../../../../core/rules/editing/ruleDraft.ts";
import { actionEntry, actionTypes } from "../../../../core/rules/model/actionType.ts";
import { ruleTypeLabels, ruleTypes } from "../../../../core/rules/model/ruleType.ts";
import { Button } from "../../../ui/Button.tsx";
import { Checkbox } from "../../../ui/form/Checkbox.tsx";
import { Select } from "../../../ui/form/Select.tsx";
import { TextArea } from "../../../ui/form/TextArea.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { PlusIcon } from "../../../ui/icons/PlusIcon.tsx";
import { TrashIcon } from "../../../ui/icons/TrashIcon.tsx";
import { ConditionList } from "./ConditionList.tsx";
import { DestinationNote } from "./DestinationNote.tsx";
import styles from "./RuleDialog.module.css";

interface ParamFieldProps {
  readonly label: string;
  readonly input: "line" | "text" | "address" | "flag";
  readonly value: string | boolean | undefined;
  readonly error: string | undefined;
  readonly onChange: (value: string | boolean) => void;
}

const ParamField = ({ input, value, ...field }: ParamFieldProps) => {
  const text = String(value ?? "");
  switch (input) {
    case "flag":
      return (
        <div className={styles.flag}>
          <Checkbox {...field} isChecked={value === true} />
        </div>
      );
    case "text":
      return <TextArea {...field} value={text} />;
    case "line":
      return <TextField {...field} value={text} autoComplete="off" />;
    case "address":
      return (
        <TextField
          {...field}
          type="email"
          value={text}
          description={<DestinationNote email={text} />}
          autoComplete="off"
        />
      );
  }
};

interface ActionRowProps {
  readonly draft: RuleDraft;
  readonly action: ActionDraft;
  readonly index: number;
  readonly errorOf: (param: string) => string | undefined;
  /** True for a row that was added just now, which gets the focus. */
  readonly isNew: boolean;
  readonly onChange: (draft: RuleDraft) => void;
}

/** Edits one action and its parameters (RU4). */
const ActionRow = ({ draft, action, index, errorOf, isNew, onChange }: ActionRowProps) => {
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
          autoFocus={isNew}
          value={type === "" ? undefined : type}
          onChange={(next) => change((one) => withType(one, next))}
          options={actionTypes.map((one) => ({ value: one, label: actionEntry(one).label }))}
        />
        {type !== "" &&
          Object.entries(actionEntry(type).params).map(([key, entry]) => (
            <ParamField
              key={key}
              {...entry}
              value={params[key]}
              error={errorOf(key)}
              onChange={(value) => param(key, value)}
            />
          ))}
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

const findMessage = (errors: readonly FieldError[], field: string): string | undefined =>
  errors.find((error) => error.field === field)?.message;

const FieldsetError = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p className={styles.complaint} role="alert" tabIndex={-1} data-complaint>
      {text}
    </p>
  );

/** The fields of a rule, in the order of their validation (RU2, RU6). */
export const RuleFields = ({ draft, timeZone, errors, isNew, onChange }: RuleFieldsProps) => {
  const [addedId, setAddedId] = useState<string | null>(null);
  const addAction = (next: RuleDraft): void => {
    setAddedId(next.actions.at(-1)?.id ?? null);
    onChange(next);
  };
  return (
    <>
      <TextField
        label="Rule Name"
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
        error={findMessage(errors, "name")}
        isRequired
        maxLength={maxNameLength}
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
        <FieldsetError text={findMessage(errors, "conditions")} />
        <ConditionList draft={draft} timeZone={timeZone} errors={errors} onChange={onChange} />
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
            isNew={action.id === addedId}
            errorOf={(param) => findMessage(errors, `actions.${action.id}.${param}`)}
            onChange={onChange}
          />
        ))}
        <FieldsetError text={findMessage(errors, "actions")} />
        <Button size="small" icon={<PlusIcon size={16} />} onPress={() => addAction(withAction(draft))}>
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
};
