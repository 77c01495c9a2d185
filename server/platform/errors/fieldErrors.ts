import * as t from "io-ts";
import { fieldErrorsOf, fieldOf } from "../../../core/api/fieldErrors.ts";
import type { FieldError } from "../../../core/kernel/failure.ts";

const objects = [t.InterfaceType, t.PartialType, t.IntersectionType, t.ExactType, t.DictionaryType];
const lists = [t.ArrayType, t.ReadonlyArrayType, t.AnyArrayType];

const expectedBy = (type: t.Decoder<never, unknown>): string => {
  if (type instanceof t.LiteralType) return JSON.stringify(type.value);
  if (type instanceof t.StringType) return "text";
  if (type instanceof t.NumberType) return "a number";
  if (type instanceof t.BooleanType) return "true or false";
  if (objects.some((object) => type instanceof object)) return "an object";
  if (lists.some((list) => type instanceof list)) return "a list";
  return `a ${type.name}`;
};

const alternatives = new Intl.ListFormat("en", { type: "disjunction" });

const fieldMessage = (field: string, errors: t.Errors): string => {
  const expected = new Set(
    errors.flatMap(({ context }) => context.slice(-1).map(({ type }) => expectedBy(type))),
  );
  return `${field || "This"} must be ${alternatives.format(expected)}.`;
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
