import { type ReactNode, useMemo } from "react";
import { toSearchText } from "../../../../core/kernel/searchText.ts";
import { labelsOf } from "../../../../core/labels/label.ts";
import { maxTextLength } from "../../../../core/mail/parsedMail.ts";
import {
  type ConditionDraft,
  withField,
  withOperator,
} from "../../../../core/rules/editing/conditionDraft.ts";
import { changeCondition } from "../../../../core/rules/editing/conditionGroupDraft.ts";
import type { RuleDraft } from "../../../../core/rules/editing/ruleDraft.ts";
import { headerNameNeeded } from "../../../../core/rules/model/condition.ts";
import {
  type ConditionField,
  fieldAliases,
  fieldEntry,
  fieldGroups,
  findValueKind,
  furtherOperators,
  selectableOperators,
} from "../../../../core/rules/model/conditionField.ts";
import { isRange, type Operator, type ValueKind } from "../../../../core/rules/model/conditionOperator.ts";
import { maxPatternLength } from "../../../../core/rules/model/conditionValue.ts";
import { timeZoneNeeded } from "../../../../core/rules/model/timeRange.ts";
import { timeZones } from "../../../format/dates.ts";
import { formatNumber } from "../../../format/numbers.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { type OptionGroup, SearchSelect } from "../../../ui/form/SearchSelect.tsx";
import { Select } from "../../../ui/form/Select.tsx";
import { TextField, type TextFieldProps } from "../../../ui/form/TextField.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { TrashIcon } from "../../../ui/icons/TrashIcon.tsx";
import styles from "./RuleDialog.module.css";

interface ConditionRowProps {
  readonly draft: RuleDraft;
  readonly condition: ConditionDraft;
  /** The name in labels: "Condition 2". */
  readonly name: string;
  /** The word before it in the sentence of the rule. */
  readonly word: string;
  readonly error: string | undefined;
  /** The control that gets the focus when the row appears. */
  readonly focus: "field" | "value" | null;
  readonly onChange: (draft: RuleDraft) => void;
}

const inputs: Readonly<Record<ValueKind, Partial<TextFieldProps>>> = {
  list: {
    placeholder: "sale, offer, discount",
    description: "Commas separate entries; one of them is enough.",
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

const toOption = (field: ConditionField) => {
  const { label, description } = fieldEntry(field);
  const others = Object.entries(fieldAliases).flatMap(([alias, meant]) => (meant === field ? [alias] : []));
  return { value: field, label, description, keywords: others.join(" ") };
};

const offeredGroups: readonly OptionGroup<ConditionField>[] = fieldGroups.map(({ title, fields }) => ({
  title,
  options: fields.map(toOption),
}));

/** The fields to choose from; one under a further name that a stored rule has is offered under it. */
const groupsOf = (chosen: ConditionField | ""): readonly OptionGroup<ConditionField>[] =>
  chosen === "" || fieldAliases[chosen] === undefined
    ? offeredGroups
    : [{ title: "In this rule", options: [toOption(chosen)] }, ...offeredGroups];

/** The operators to choose from; one that another client has chosen stays while the field does. */
const operatorsOf = ({ field, operator }: ConditionDraft) => {
  if (field === "") return [];
  const choices = selectableOperators(field);
  const isChosen = (one: { readonly operator: Operator }): boolean => one.operator === operator;
  return choices.some(isChosen) ? choices : [...choices, ...furtherOperators(field).filter(isChosen)];
};

/** Headers that rules often ask for. */
const knownHeaders = ["X-Priority", "Reply-To", "X-Spam-Flag", "Auto-Submitted", "Precedence", "X-Mailer"];

const readsBody = ({ field }: ConditionDraft): boolean => field === "body" || field === "text";

const describeValue = (condition: ConditionDraft, kind: ValueKind): string | undefined => {
  const { field, operator, original } = condition;
  const isList =
    kind === "text" &&
    (Array.isArray(original?.value) || (field !== "" && fieldEntry(field).kind !== "text"));
  const how = isList
    ? inputs.list.description
    : kind === "text"
      ? "Compared as a whole, commas included. For several texts, choose “is in list” or “contains”."
      : inputs[kind].description;
  if (!readsBody(condition)) {
    const measured = field === "" ? undefined : fieldEntry(field).description;
    return [how, measured].filter((text) => typeof text === "string").join(" ") || undefined;
  }
  const limit = `The first ${formatNumber(maxTextLength)} characters of a text are looked at.`;
  const isNegative = operator === "not_contains" || operator === "not_in_list";
  return [how, limit, ...(isNegative ? ["A longer text does not meet this condition."] : [])].join(" ");
};

interface HeaderNameProps {
  readonly name: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (header: string) => void;
}

const HeaderName = ({ name, error, ...field }: HeaderNameProps) => (
  <TextField
    {...field}
    label={`${name}: header`}
    isLabelHidden
    placeholder="X-Priority"
    error={error === headerNameNeeded ? error : undefined}
    suggestions={knownHeaders}
    spellCheck={false}
    autoComplete="off"
  />
);

/** The most addresses that are offered at once. */
const maxOffered = 20;

/** Returns the values of a field, or those that the user's masks have and that fit what is typed. */
const useSuggestions = (field: ConditionField | "", typed: string): readonly string[] | undefined => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  return useMemo(() => {
    if (field === "maskLabel") return labelsOf(all);
    if (field === "mask")
      return all
        .map(({ maskEmail }) => maskEmail)
        .filter((address) => address.includes(typed.trim().toLowerCase()))
        .slice(0, maxOffered);
    return field === "" ? undefined : fieldEntry(field).values;
  }, [all, field, typed]);
};

/** Errors that are not shown with the value. */
const isElsewhere = (error: string | undefined): boolean =>
  error === timeZoneNeeded || error === headerNameNeeded;

/** A line of the rule's sentence: the word that leads to it, what can be chosen, and its removal. */
export const SentenceRow = ({
  word,
  name,
  onRemove,
  children,
}: {
  readonly word: string;
  /** The name of the thing that is removed, such as "condition 1". */
  readonly name: string;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}) => (
  <div className={styles.row}>
    <span className={styles.word}>{word}</span>
    <div className={styles.inputs}>{children}</div>
    <IconButton label={`Remove ${name}`} icon={<TrashIcon size={18} />} onPress={onRemove} />
  </div>
);

/** Edits one condition: field, operator and value (RU4, RU5). */
export const ConditionRow = ({ draft, condition, name, word, error, focus, onChange }: ConditionRowProps) => {
  const { field, operator } = condition;
  const kind = field === "" || operator === "" ? undefined : findValueKind(field, operator);
  const { unit, isNamed } = field === "" ? {} : fieldEntry(field);
  const suggestions = useSuggestions(field, condition.value);
  const change = (edit: (one: ConditionDraft) => ConditionDraft | null): void =>
    onChange(changeCondition(draft, condition.id, edit));
  const changeValue = (
    part: Partial<Pick<ConditionDraft, "header" | "value" | "until" | "timeZone">>,
  ): void => change((one) => ({ ...one, ...part }));

  return (
    <SentenceRow word={word} name={name.toLowerCase()} onRemove={() => change(() => null)}>
      <SearchSelect
        label={`${name}: field`}
        isLabelHidden
        placeholder="Field…"
        searchLabel="Search the fields"
        fold={toSearchText}
        autoFocus={focus === "field"}
        value={field === "" ? undefined : field}
        onChange={(next) => change((one) => withField(one, next))}
        groups={groupsOf(field)}
        error={kind ? undefined : error}
      />
      {isNamed && (
        <HeaderName
          name={name}
          value={condition.header ?? ""}
          error={error}
          onChange={(header) => changeValue({ header })}
        />
      )}
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
            error={isElsewhere(error) ? undefined : error}
            suggestions={suggestions}
            suffix={unit}
            description={describeValue(condition, kind)}
            autoComplete="off"
            autoFocus={focus === "value"}
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
          error={error === timeZoneNeeded ? error : undefined}
          suggestions={timeZones()}
          description="Type a part of its name, such as a city."
          spellCheck={false}
          autoComplete="off"
        />
      )}
    </SentenceRow>
  );
};
