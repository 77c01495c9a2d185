import * as t from "io-ts";
import { isStorable, refined } from "../../api/textCodecs.ts";
import { type ConditionField, fieldEntry, findValueKind, isConditionField } from "./conditionField.ts";
import { type ConditionValue, valueDecoder } from "./conditionValue.ts";
import { isOperator, type Operator } from "./operator.ts";

/** One condition that a mail must meet for a rule to apply. */
export interface Condition {
  readonly id?: string;
  readonly field: ConditionField;
  readonly operator: Operator;
  /** A value of the kind that the field and the operator require. */
  readonly value: ConditionValue;
}

/** A short id given by a client. */
export const PartId = refined(t.string, (id) => isStorable(id) && id.length <= 100, "Give a shorter id");

const readId = (u: Readonly<Record<string, unknown>>): Pick<Condition, "id"> =>
  PartId.is(u["id"]) ? { id: u["id"] } : {};

const isRecord = (u: unknown): u is Readonly<Record<string, unknown>> => typeof u === "object" && u !== null;

const isAbove = (max: number, value: ConditionValue): boolean =>
  [value].flat().some((one) => typeof one === "number" && one > max);

const decode = (u: unknown, context: t.Context): t.Validation<Condition> => {
  if (!isRecord(u)) return t.failure(u, context, "Expected a condition");
  const { field, operator } = u;
  if (!isConditionField(field)) return t.failure(u, context, "Choose what of the mail to look at");
  const kind = isOperator(operator) ? findValueKind(field, operator) : undefined;
  if (!isOperator(operator) || kind === undefined)
    return t.failure(u, context, `Choose how to compare the ${fieldEntry(field).phrase}`);
  const decoder = valueDecoder(kind);
  const valueContext = t.appendContext(context, "value", decoder);
  const value = decoder.validate(u["value"], valueContext);
  if (value._tag === "Left") return value;
  const { atMost = Number.POSITIVE_INFINITY } = fieldEntry(field);
  return isAbove(atMost, value.right)
    ? t.failure(u, valueContext, `Enter a number between 0 and ${atMost}`)
    : t.success({ ...readId(u), field, operator, value: value.right });
};

/** Decodes a condition whose operator fits its field and whose value fits both (RU4). */
export const Condition: t.Type<Condition, Condition, unknown> = new t.Type(
  "condition",
  (u): u is Condition => decode(u, [])._tag === "Right",
  decode,
  (condition) => condition,
);
