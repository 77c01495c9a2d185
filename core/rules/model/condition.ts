import * as t from "io-ts";
import { isStorable, refined } from "../../api/textCodecs.ts";
import { type ConditionField, fieldEntry, findValueKind, isConditionField } from "./conditionField.ts";
import { isOperator, type Operator } from "./conditionOperator.ts";
import { type ConditionValue, splitAtCommas, valueDecoder } from "./conditionValue.ts";

/** One condition that a mail must meet for a rule to apply. */
export interface Condition {
  readonly id?: string;
  readonly field: ConditionField;
  /** The name of the header that the field `header` compares; other fields have none. */
  readonly header?: string;
  readonly operator: Operator;
  /** A value of the kind that the field and the operator require. */
  readonly value: ConditionValue;
}

/** A short id given by a client. */
export const PartId = refined(t.string, (id) => isStorable(id) && id.length <= 100, "Give a shorter id");

const readId = (u: Readonly<Record<string, unknown>>): Pick<Condition, "id"> =>
  PartId.is(u["id"]) ? { id: u["id"] } : {};

const isRecord = (u: unknown): u is Readonly<Record<string, unknown>> => typeof u === "object" && u !== null;

/** The message for a condition on a header without its name. */
export const headerNameNeeded = "Enter the name of a header, such as X-Priority";

/** The printable ASCII characters without the colon (RFC 5322, 3.6.8). */
const HeaderName = refined(t.string, (name) => /^[!-9;-~]{1,100}$/.test(name), headerNameNeeded);

const namedHeader: t.Type<string, string, unknown> = new t.Type(
  "header name",
  HeaderName.is,
  (u, context) => HeaderName.validate(typeof u === "string" ? u.trim().replace(/:$/, "") : "", context),
  (name) => name,
);

/** Returns the words for what a condition compares, in a sentence: "subject", "header X-Priority". */
export const conditionPhrase = ({ field, header }: Pick<Condition, "field" | "header">): string =>
  [fieldEntry(field).phrase, ...(header === undefined ? [] : [header])].join(" ");

const isOther = (values: readonly string[], value: ConditionValue): boolean =>
  [value]
    .flat()
    .flatMap((one) => (typeof one === "string" ? splitAtCommas(one) : []))
    .some((one) => !values.includes(one.trim().toLowerCase()));

const isAbove = (max: number, value: ConditionValue): boolean =>
  [value].flat().some((one) => typeof one === "number" && one > max);

const decode = (u: unknown, context: t.Context): t.Validation<Condition> => {
  if (!isRecord(u)) return t.failure(u, context, "Expected a condition");
  const { field, operator } = u;
  if (!isConditionField(field)) return t.failure(u, context, "Choose which part of the email to look at");
  const kind = isOperator(operator) ? findValueKind(field, operator) : undefined;
  if (!isOperator(operator) || kind === undefined)
    return t.failure(u, context, `Choose how to compare the ${fieldEntry(field).phrase}`);
  const decoder = valueDecoder(kind);
  const valueContext = t.appendContext(context, "value", decoder);
  const value = decoder.validate(u["value"], valueContext);
  if (value._tag === "Left") return value;
  const { atMost = Number.POSITIVE_INFINITY, values, isNamed = false } = fieldEntry(field);
  if (isAbove(atMost, value.right))
    return t.failure(u, valueContext, `Enter a number between 0 and ${atMost}`);
  if (values && isOther(values, value.right))
    return t.failure(u, valueContext, `Enter one of ${values.join(", ")}`);
  if (!isNamed) return t.success({ ...readId(u), field, operator, value: value.right });
  const header = namedHeader.validate(u["header"], t.appendContext(context, "header", namedHeader));
  return header._tag === "Left"
    ? header
    : t.success({ ...readId(u), field, header: header.right, operator, value: value.right });
};

/** Decodes a condition whose operator fits its field and whose value fits both (RU4). */
export const Condition: t.Type<Condition, Condition, unknown> = new t.Type(
  "condition",
  (u): u is Condition => decode(u, [])._tag === "Right",
  decode,
  (condition) => condition,
);
