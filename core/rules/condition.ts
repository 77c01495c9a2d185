import * as t from "io-ts";
import { isStorable, such } from "../contract/text.ts";
import { type ConditionField, fieldEntry, isConditionField, valueKindOf } from "./conditionField.ts";
import { type ConditionValue, valueDecoder } from "./conditionValue.ts";
import { isOperator, type Operator } from "./operator.ts";

/** What a mail must be like for a rule to apply. */
export interface Condition {
  /** Tells it from the others in an editor. */
  readonly id?: string;
  readonly field: ConditionField;
  readonly operator: Operator;
  /** What fits the field and the operator. */
  readonly value: ConditionValue;
}

/** A short name given by a client. */
export const PartId = such(t.string, (id) => isStorable(id) && id.length <= 100, "Give a shorter id");

const idOf = (u: Readonly<Record<string, unknown>>): Pick<Condition, "id"> =>
  PartId.is(u["id"]) ? { id: u["id"] } : {};

const isRecord = (u: unknown): u is Readonly<Record<string, unknown>> => typeof u === "object" && u !== null;

const isAbove = (most: number, value: ConditionValue): boolean =>
  [value].flat().some((one) => typeof one === "number" && one > most);

const decode = (u: unknown, context: t.Context): t.Validation<Condition> => {
  if (!isRecord(u)) return t.failure(u, context, "Expected a condition");
  const { field, operator } = u;
  if (!isConditionField(field)) return t.failure(u, context, "Choose what of the mail to look at");
  const kind = isOperator(operator) ? valueKindOf(field, operator) : undefined;
  if (!isOperator(operator) || kind === undefined)
    return t.failure(u, context, `Choose how to compare the ${fieldEntry(field).phrase}`);
  const decoder = valueDecoder(kind);
  const place = t.appendContext(context, "value", decoder);
  const value = decoder.validate(u["value"], place);
  if (value._tag === "Left") return value;
  const { atMost = Number.POSITIVE_INFINITY } = fieldEntry(field);
  return isAbove(atMost, value.right)
    ? t.failure(u, place, `Enter a number between 0 and ${atMost}`)
    : t.success({ ...idOf(u), field, operator, value: value.right });
};

/** Reads a condition whose operator goes with its field and whose value goes with both (RU4). */
export const Condition: t.Type<Condition, Condition, unknown> = new t.Type(
  "condition",
  (u): u is Condition => decode(u, [])._tag === "Right",
  decode,
  (condition) => condition,
);
