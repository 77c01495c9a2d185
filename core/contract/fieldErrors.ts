import type * as t from "io-ts";
import type { FieldError } from "../kernel/failure.ts";

/** The path of what an error is about ("settings.spamFilter"); empty for the whole. */
export const fieldOf = (error: t.ValidationError): string =>
  error.context
    .slice(1)
    .map(({ key }) => key)
    .filter((key) => key !== "" && !/^\d+$/.test(key))
    .join(".");

/**
 * What a codec found wrong, a sentence for each field, in the codec's order. A field is named by its path
 * ("settings.spamFilter"); the first sentence about a field is the one kept.
 */
export const fieldErrorsOf = (errors: t.Errors): readonly FieldError[] => {
  const first = new Map<string, string>();
  for (const error of errors) {
    const field = fieldOf(error);
    const expected = error.context.at(-1)?.type.name ?? "another value";
    if (!first.has(field)) first.set(field, error.message ?? `Expected ${expected}`);
  }
  return Array.from(first, ([field, message]) => ({ field, message }));
};
