import { type RefObject, useState } from "react";
import { maxNameLength } from "../../../../core/api/textCodecs.ts";
import type { FieldError } from "../../../../core/kernel/failure.ts";
import { isComplete } from "../../../../core/rules/editing/conditionDraft.ts";
import { draftLeaves } from "../../../../core/rules/editing/conditionGroupDraft.ts";
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
import { PlusIcon } from "../../../ui/icons/PlusIcon.tsx";
import { ConditionList } from "./ConditionList.tsx";
import { SentenceRow } from "./ConditionRow.tsx";
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
  /** Says that an action is missing. */
  readonly typeError: string | undefined;
  /** True if its type gets the focus when the row appears. */
  readonly isFocused: boolean;
  readonly onChange: (draft: RuleDraft) => void;
}

/** Edits one action and its parameters (RU4). */
const ActionRow = ({ draft, action, index, errorOf, typeError, isFocused, onChange }: ActionRowProps) => {
  const { type, params } = action;
  const name = `Action ${index + 1}`;
  const change = (edit: (one: ActionDraft) => ActionDraft | null): void =>
    onChange(changeAction(draft, action.id, edit));
  const param = (key: string, value: string | boolean): void => change((one) => withParam(one, key, value));

  return (
    <SentenceRow
      word={index === 0 ? "then" : "and"}
      name={name.toLowerCase()}
      onRemove={() => change(() => null)}
    >
      <Select
        label={`${name}: what happens`}
        isLabelHidden
        placeholder="Action…"
        autoFocus={isFocused}
        value={type === "" ? undefined : type}
        onChange={(next) => change((one) => withType(one, next))}
        options={actionTypes.map((one) => ({ value: one, label: actionEntry(one).label }))}
        error={typeError}
      />
      {type !== "" &&
        Object.entries(actionEntry(type).params).map(([key, entry]) => (
          <div key={key} className={entry.input === "flag" ? undefined : styles.value}>
            <ParamField
              {...entry}
              value={params[key]}
              error={errorOf(key)}
              onChange={(value) => param(key, value)}
            />
          </div>
        ))}
    </SentenceRow>
  );
};

export interface RuleFieldsProps {
  readonly draft: RuleDraft;
  readonly timeZone: string;
  readonly errors: readonly FieldError[];
  readonly isNew: boolean;
  /** Name and type, which stand last and are checked first (RU6). */
  readonly named: RefObject<HTMLDivElement | null>;
  readonly onChange: (draft: RuleDraft) => void;
}

export const findMessage = (errors: readonly FieldError[], field: string): string | undefined =>
  errors.find((error) => error.field === field)?.message;

const FieldsetError = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p className={styles.complaint} role="alert" tabIndex={-1} data-complaint>
      {text}
    </p>
  );

const isUnfinished = ({ type }: ActionDraft): boolean => type === "";

/** The fields of a rule: its sentence, and below it the name and the type that follow from it (RU2, RU6). */
export const RuleFields = ({ draft, timeZone, errors, isNew, named, onChange }: RuleFieldsProps) => {
  const [addedId, setAddedId] = useState<string | null>(null);
  const [isAsked] = useState(() => isNew && !draftLeaves(draft.conditions).every(isComplete));
  const [firstId] = useState(() => (isNew && !isAsked ? draft.actions.find(isUnfinished)?.id : undefined));
  const addAction = (next: RuleDraft): void => {
    setAddedId(next.actions.at(-1)?.id ?? null);
    onChange(next);
  };
  const unfinished = draft.actions.find(isUnfinished);
  const hasRow = draftLeaves(draft.conditions).some((one) => !isComplete(one));
  return (
    <>
      <fieldset className={styles.group}>
        <legend className="visually-hidden">Conditions</legend>
        {draft.conditions.length === 0 && (
          <p className={styles.none}>No conditions defined yet. Click "Add Condition" to get started.</p>
        )}
        {!hasRow && <FieldsetError text={findMessage(errors, "conditions")} />}
        <ConditionList
          draft={draft}
          timeZone={timeZone}
          errors={errors}
          focusesFirst={isAsked}
          onChange={onChange}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend className="visually-hidden">Actions</legend>
        {draft.actions.length === 0 && (
          <p className={styles.none}>No actions defined yet. Click "Add Action" to get started.</p>
        )}
        {draft.actions.map((action, index) => (
          <ActionRow
            key={action.id}
            draft={draft}
            action={action}
            index={index}
            isFocused={[addedId, firstId].includes(action.id)}
            typeError={action === unfinished ? findMessage(errors, "actions") : undefined}
            errorOf={(param) => findMessage(errors, `actions.${action.id}.${param}`)}
            onChange={onChange}
          />
        ))}
        {!unfinished && <FieldsetError text={findMessage(errors, "actions")} />}
        <div className={styles.more}>
          <Button size="small" icon={<PlusIcon size={16} />} onPress={() => addAction(withAction(draft))}>
            Add Action
          </Button>
        </div>
      </fieldset>
      <div ref={named} className={styles.named}>
        <TextField
          label="Rule Name"
          value={draft.name}
          onChange={(name) => onChange({ ...draft, name })}
          error={findMessage(errors, "name")}
          isRequired
          maxLength={maxNameLength}
          autoComplete="off"
        />
        <Select
          label="Rule Type"
          value={draft.type === "" ? undefined : draft.type}
          onChange={(type) => onChange({ ...draft, type })}
          options={ruleTypes.map((type) => ({ value: type, label: ruleTypeLabels[type] }))}
          error={findMessage(errors, "type")}
        />
      </div>
      <div className={styles.switches}>
        <Checkbox
          label="Rule Enabled"
          isChecked={draft.enabled}
          onChange={(enabled) => onChange({ ...draft, enabled })}
        />
        <Checkbox
          label="Stop here"
          isChecked={draft.stop}
          onChange={(stop) => onChange({ ...draft, stop })}
          description="When this rule applies, the rules below it are skipped."
        />
      </div>
    </>
  );
};
