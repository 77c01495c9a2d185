import { type ConditionDraft, withField, withOperator } from "../../core/rules/editing/conditionDraft.ts";
import { changeCondition, type RuleDraft } from "../../core/rules/editing/ruleDraft.ts";
import {
  conditionFields,
  fieldEntry,
  findValueKind,
  furtherOperators,
  offeredOperators,
} from "../../core/rules/model/conditionField.ts";
import { maxPatternLength } from "../../core/rules/model/conditionValue.ts";
import { isPatternOperator, isRange, type ValueKind } from "../../core/rules/model/operator.ts";
import { IconButton } from "../ui/IconButton.tsx";
import { TrashIcon } from "../ui/moreIcons.tsx";
import { Select } from "../ui/Select.tsx";
import { TextField, type TextFieldProps } from "../ui/TextField.tsx";
import styles from "./RuleDialog.module.css";

interface ConditionRowProps {
  readonly draft: RuleDraft;
  readonly condition: ConditionDraft;
  readonly index: number;
  readonly error: string | undefined;
  readonly onChange: (draft: RuleDraft) => void;
}

const inputs: Readonly<Record<ValueKind, Partial<TextFieldProps>>> = {
  list: {
    placeholder: "sale, offer, discount",
    description: "Commas separate entries; any of them will do.",
  },
  text: {},
  pattern: {
    isMonospace: true,
    spellCheck: false,
    description: `A regular expression, at most ${maxPatternLength} characters.`,
  },
  number: { type: "number", inputMode: "decimal" },
  numberRange: { type: "number", inputMode: "decimal" },
  date: { type: "date" },
  dateRange: { type: "date" },
  timeRange: { type: "time" },
};

const operatorsOf = ({ field, operator }: ConditionDraft) => {
  if (field === "") return [];
  const further = furtherOperators(field).filter(
    (one) => one.operator === operator || isPatternOperator(one.operator),
  );
  return [...offeredOperators(field), ...further];
};

/** Edits one condition: field, operator and value (RU4, RU5). */
export const ConditionRow = ({ draft, condition, index, error, onChange }: ConditionRowProps) => {
  const { field, operator } = condition;
  const name = `Condition ${index + 1}`;
  const kind = field === "" || operator === "" ? undefined : findValueKind(field, operator);
  const unit = field === "" ? undefined : fieldEntry(field).unit;
  const change = (edit: (one: ConditionDraft) => ConditionDraft | null): void =>
    onChange(changeCondition(draft, condition.id, edit));
  const changeValue = (part: Partial<Pick<ConditionDraft, "value" | "until" | "timeZone">>): void =>
    change((one) => ({ ...one, ...part }));

  return (
    <div className={styles.row}>
      <div className={styles.inputs}>
        <Select
          label={`${name}: field`}
          isLabelHidden
          placeholder="Field…"
          value={field === "" ? undefined : field}
          onChange={(next) => change((one) => withField(one, next))}
          options={conditionFields.map((one) => ({ value: one, label: fieldEntry(one).label }))}
        />
        <Select
          label={`${name}: operator`}
          isLabelHidden
          placeholder="Operator…"
          isDisabled={field === ""}
          value={operator === "" ? undefined : operator}
          onChange={(next) => change((one) => withOperator(one, next))}
          options={operatorsOf(condition).map((one) => ({ value: one.operator, label: one.label }))}
        />
        {kind && (
          <div className={isRange(kind) ? undefined : styles.value}>
            <TextField
              {...inputs[kind]}
              label={isRange(kind) ? `${name}: from` : `${name}: value`}
              isLabelHidden={!isRange(kind)}
              value={condition.value}
              onChange={(value) => changeValue({ value })}
              error={error}
              suffix={unit}
              autoComplete="off"
            />
          </div>
        )}
        {kind && isRange(kind) && (
          <TextField
            {...inputs[kind]}
            label={`${name}: to`}
            value={condition.until}
            onChange={(until) => changeValue({ until })}
            suffix={unit}
          />
        )}
        {kind === "timeRange" && (
          <TextField
            label={`${name}: time zone`}
            value={condition.timeZone}
            onChange={(timeZone) => changeValue({ timeZone })}
            spellCheck={false}
          />
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
