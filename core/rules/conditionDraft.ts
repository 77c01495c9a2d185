import * as E from "fp-ts/lib/Either.js";
import { joinWithCommas, splitAtCommas } from "./commaList.ts";
import { Condition } from "./condition.ts";
import { type ConditionField, offeredOperators, valueKindOf } from "./conditionField.ts";
import type { ConditionValue } from "./conditionValue.ts";
import type { Operator, ValueKind } from "./operator.ts";
import { officeHours, type TimeRange } from "./timeRange.ts";

/** A condition as it stands in the editor: what is chosen, and what is typed. */
export interface ConditionDraft {
  /** Tells it from the others in the editor. */
  readonly id: string;
  readonly field: ConditionField | "";
  readonly operator: Operator | "";
  /** What is typed; of a range its beginning, of `during` the start time. */
  readonly value: string;
  /** Of a range its end, of `during` the end time. */
  readonly until: string;
  readonly timeZone: string;
  /** The value it came with, which it keeps until something else is typed. */
  readonly kept?: { readonly typed: string; readonly value: ConditionValue };
}

/** A new line of the editor. `timeZone`: the browser's (RU5). */
export const emptyCondition = (id: string, timeZone: string): ConditionDraft => ({
  id,
  field: "",
  operator: "",
  value: "",
  until: "",
  timeZone,
});

/** What is entered: the same words serve for all of these kinds. */
const entered = (kind: ValueKind | undefined): ValueKind | undefined =>
  kind === "list" || kind === "pattern" ? "text" : kind;

const kindOf = ({ field, operator }: ConditionDraft): ValueKind | undefined =>
  field === "" || operator === "" ? undefined : valueKindOf(field, operator);

const fresh = (kind: ValueKind | undefined): Pick<ConditionDraft, "value" | "until"> =>
  kind === "timeRange"
    ? { value: officeHours.startTime, until: officeHours.endTime }
    : { value: "", until: "" };

/** The draft after a choice; a value that was entered for another kind is reset (RU4). */
const chosen = (before: ConditionDraft, after: ConditionDraft): ConditionDraft => {
  const { kept: _, ...rest } = after;
  const kind = kindOf(after);
  return entered(kindOf(before)) === entered(kind) ? rest : { ...rest, ...fresh(kind) };
};

/** Another field: an operator that does not go with it becomes the first that does (RU4). */
export const withField = (draft: ConditionDraft, field: ConditionField): ConditionDraft => {
  const { operator } = draft;
  const fits = operator !== "" && valueKindOf(field, operator) !== undefined;
  const first = offeredOperators(field)[0]?.operator ?? "";
  return chosen(draft, { ...draft, field, operator: fits ? operator : first });
};

export const withOperator = (draft: ConditionDraft, operator: Operator): ConditionDraft =>
  chosen(draft, { ...draft, operator });

/** Whether it has field, operator and a value; what has not is no condition yet (RU6). */
export const isComplete = (draft: ConditionDraft): boolean => {
  const kind = kindOf(draft);
  if (kind === undefined) return false;
  if (kind === "list") return splitAtCommas(draft.value).length > 0;
  const hasEnd = kind !== "timeRange" && kind !== "numberRange" && kind !== "dateRange";
  return draft.value.trim() !== "" && (hasEnd || draft.until.trim() !== "");
};

const numberIn = (typed: string): number => (typed.trim() === "" ? Number.NaN : Number(typed));

const read: Readonly<Record<ValueKind, (draft: ConditionDraft) => ConditionValue>> = {
  list: ({ value }) => splitAtCommas(value),
  text: ({ value }) => value.trim(),
  pattern: ({ value }) => value,
  number: ({ value }) => numberIn(value),
  numberRange: ({ value, until }) => [numberIn(value), numberIn(until)],
  date: ({ value }) => value.trim(),
  dateRange: ({ value, until }) => [value.trim(), until.trim()],
  timeRange: ({ value, until, timeZone }) => ({ startTime: value, endTime: until, timeZone }),
};

/** The condition that a complete draft means; left: the sentence that says what to do about its value. */
export const conditionOf = (draft: ConditionDraft): E.Either<string, Condition> => {
  const { id, field, operator, kept } = draft;
  const kind = kindOf(draft);
  const isKept = kept !== undefined && kept.typed === draft.value;
  const value = isKept ? kept.value : kind && read[kind](draft);
  return E.mapLeft(
    (errors: readonly { readonly message?: string | undefined }[]) => errors[0]?.message ?? "",
  )(Condition.decode({ id, field, operator, value }));
};

const isTimeRange = (value: ConditionValue): value is TimeRange =>
  typeof value === "object" && "startTime" in value;

const typedOf = (
  value: ConditionValue,
  kind: ValueKind | undefined,
): Pick<ConditionDraft, "value" | "until"> => {
  if (isTimeRange(value)) return { value: value.startTime, until: value.endTime };
  if (typeof value !== "object") return { value: String(value), until: "" };
  if (kind !== "numberRange" && kind !== "dateRange")
    return { value: joinWithCommas(value.map(String)), until: "" };
  return { value: String(value[0]), until: String(value[1]) };
};

/** A condition as somebody would have typed it. */
export const conditionDraftOf = (condition: Condition, id: string, timeZone: string): ConditionDraft => {
  const { field, operator, value } = condition;
  const kind = valueKindOf(field, operator);
  const typed = typedOf(value, kind);
  const zone = isTimeRange(value) ? value.timeZone : timeZone;
  const kept = kind === "text" || kind === "list" ? { kept: { typed: typed.value, value } } : {};
  return { id, field, operator, ...typed, timeZone: zone, ...kept };
};
