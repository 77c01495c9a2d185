import * as E from "fp-ts/lib/Either.js";
import { Condition } from "../model/condition.ts";
import { type ConditionField, findValueKind, selectableOperators } from "../model/conditionField.ts";
import { isRange, type Operator, type ValueKind } from "../model/conditionOperator.ts";
import { type ConditionValue, joinWithCommas, splitAtCommas } from "../model/conditionValue.ts";
import { officeHours, type TimeRange } from "../model/timeRange.ts";

/** A condition in the editor: the selections and the typed text. */
export interface ConditionDraft {
  /** Identifies the condition in the editor. */
  readonly id: string;
  readonly field: ConditionField | "";
  /** The name of the header, for the field that needs one. */
  readonly header?: string;
  readonly operator: Operator | "";
  /** The typed value; of a range its start, of `during` the start time. */
  readonly value: string;
  /** The end of a range, or the end time of `during`. */
  readonly until: string;
  readonly timeZone: string;
  /** The stored value, which stays in use until the user types something else. */
  readonly original?: { readonly typed: string; readonly value: ConditionValue };
}

/** Creates an empty row of the editor. `timeZone` is the browser's (RU5). */
export const emptyCondition = (id: string, timeZone: string): ConditionDraft => ({
  id,
  field: "",
  operator: "",
  value: "",
  until: "",
  timeZone,
});

/** Maps a value kind to the kind of its input field, because text, lists and patterns are typed in the same field. */
const inputKind = (kind: ValueKind | undefined): ValueKind | undefined =>
  kind === "list" || kind === "pattern" ? "text" : kind;

const getKind = ({ field, operator }: ConditionDraft): ValueKind | undefined =>
  field === "" || operator === "" ? undefined : findValueKind(field, operator);

const initialValues = (kind: ValueKind | undefined): Pick<ConditionDraft, "value" | "until"> =>
  kind === "timeRange"
    ? { value: officeHours.startTime, until: officeHours.endTime }
    : { value: "", until: "" };

/** Returns the draft after a selection; a value typed for another kind of input is reset (RU4). */
const resetOtherInput = (before: ConditionDraft, after: ConditionDraft): ConditionDraft => {
  const { original: _, ...rest } = after;
  const kind = getKind(after);
  return inputKind(getKind(before)) === inputKind(kind) ? rest : { ...rest, ...initialValues(kind) };
};

/** Sets the field; an operator that the editor does not offer for it becomes the first one that it does (RU4). */
export const withField = (draft: ConditionDraft, field: ConditionField): ConditionDraft => {
  const choices = selectableOperators(field);
  const chosen = choices.find(({ operator }) => operator === draft.operator) ?? choices[0];
  return resetOtherInput(draft, { ...draft, field, operator: chosen?.operator ?? "" });
};

export const withOperator = (draft: ConditionDraft, operator: Operator): ConditionDraft =>
  resetOtherInput(draft, { ...draft, operator });

/** True if the draft has field, operator and value; an incomplete draft is not a condition yet (RU6). */
export const isComplete = (draft: ConditionDraft): boolean => {
  const kind = getKind(draft);
  if (kind === undefined) return false;
  if (kind === "list") return splitAtCommas(draft.value).length > 0;
  return draft.value.trim() !== "" && (!isRange(kind) || draft.until.trim() !== "");
};

const numberIn = (typed: string): number => (typed.trim() === "" ? Number.NaN : Number(typed));

const parseValue: Readonly<Record<ValueKind, (draft: ConditionDraft) => ConditionValue>> = {
  list: ({ value }) => splitAtCommas(value),
  text: ({ value }) => value.trim(),
  pattern: ({ value }) => value,
  number: ({ value }) => numberIn(value),
  numberRange: ({ value, until }) => [numberIn(value), numberIn(until)],
  date: ({ value }) => value.trim(),
  dateRange: ({ value, until }) => [value.trim(), until.trim()],
  timeRange: ({ value, until, timeZone }) => ({ startTime: value, endTime: until, timeZone }),
};

/** Parses a complete draft; left: the message that says how to correct its value. */
export const parseCondition = (draft: ConditionDraft): E.Either<string, Condition> => {
  const { id, field, header, operator, original } = draft;
  const kind = getKind(draft);
  const isUnchanged = original !== undefined && original.typed === draft.value;
  const wasList = kind === "text" && Array.isArray(original?.value);
  const value = isUnchanged ? original.value : kind && parseValue[wasList ? "list" : kind](draft);
  return E.mapLeft(
    (errors: readonly { readonly message?: string | undefined }[]) => errors[0]?.message ?? "",
  )(Condition.decode({ id, field, header, operator, value }));
};

const isTimeRange = (value: ConditionValue): value is TimeRange =>
  typeof value === "object" && "startTime" in value;

const toTypedText = (
  value: ConditionValue,
  kind: ValueKind | undefined,
): Pick<ConditionDraft, "value" | "until"> => {
  if (isTimeRange(value)) return { value: value.startTime, until: value.endTime };
  if (typeof value !== "object") return { value: String(value), until: "" };
  if (kind === undefined || !isRange(kind)) return { value: joinWithCommas(value.map(String)), until: "" };
  return { value: String(value[0]), until: String(value[1]) };
};

/** Converts a condition back to its draft in the editor. */
export const toConditionDraft = (condition: Condition, id: string, timeZone: string): ConditionDraft => {
  const { field, header, operator, value } = condition;
  const kind = findValueKind(field, operator);
  const named = header === undefined ? {} : { header };
  const typed = toTypedText(value, kind);
  const zone = isTimeRange(value) ? value.timeZone : timeZone;
  const kept = kind === "text" || kind === "list" ? { original: { typed: typed.value, value } } : {};
  return { id, field, ...named, operator, ...typed, timeZone: zone, ...kept };
};
