import * as t from "io-ts";
import { fieldErrorsOf, fieldOf } from "../../../core/api/fieldErrors.ts";
import type { FieldError } from "../../../core/kernel/failure.ts";

const objects = [t.InterfaceType, t.PartialType, t.IntersectionType, t.ExactType, t.DictionaryType];
const lists = [t.ArrayType, t.ReadonlyArrayType, t.AnyArrayType];

/** A name in words, as codecs have that are made for a thing of the product; others have their type in TypeScript. */
const words = /^[a-z][a-z' -]*$/;

/** Returns what a codec accepts, in words; nothing where only its type in TypeScript says it. */
const expectedBy = (type: t.Decoder<never, unknown>): readonly string[] => {
  if (type instanceof t.LiteralType) return [JSON.stringify(type.value)];
  if (type instanceof t.KeyofType) return Object.keys(type.keys).map((key) => JSON.stringify(key));
  if (type instanceof t.UnionType) return type.types.flatMap(expectedBy);
  if (type instanceof t.ReadonlyType || type instanceof t.RefinementType) return expectedBy(type.type);
  if (type instanceof t.StringType) return ["text"];
  if (type instanceof t.NumberType) return ["a number"];
  if (type instanceof t.BooleanType) return ["true or false"];
  if (type instanceof t.NullType) return ["null"];
  if (type instanceof t.TupleType) return [`a list of ${type.types.length} values`];
  if (objects.some((object) => type instanceof object)) return ["an object"];
  if (lists.some((list) => type instanceof list)) return ["a list"];
  return words.test(type.name) ? [`a ${type.name}`] : [];
};

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

const fieldMessage = (field: string, errors: t.Errors): string => {
  const types = errors.flatMap(({ context }) => context.slice(-1).map(({ type }) => expectedBy(type)));
  const name = field || "This";
  return types.some((expected) => expected.length === 0)
    ? `${name} is not in an accepted form.`
    : `${name} must be ${alternatives.format(new Set(types.flat()))}.`;
};

/** Describes decoding errors with one message per field: the codec's, or one that lists every accepted type. */
export const describeFieldErrors = (errors: t.Errors): readonly FieldError[] =>
  fieldErrorsOf(
    errors.map((error) => {
      const field = fieldOf(error);
      const same = errors.filter((other) => fieldOf(other) === field && other.message === undefined);
      return error.message === undefined ? { ...error, message: fieldMessage(field, same) } : error;
    }),
  );
