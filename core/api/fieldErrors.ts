import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type * as t from "io-ts";
import { type Failure, type FieldError, invalid } from "../kernel/failure.ts";

/** Returns the path of the field that an error is about ("settings.spamFilter"); empty for the whole value. */
export const fieldOf = (error: t.ValidationError): string =>
  error.context
    .slice(1)
    .map(({ key }) => key)
    .filter((key) => key !== "" && !/^\d+$/.test(key))
    .join(".");

/** Converts codec errors to the first error of each field, named by its path ("settings.spamFilter"). */
export const fieldErrorsOf = (errors: t.Errors): readonly FieldError[] => {
  const first = new Map<string, string>();
  for (const error of errors) {
    const field = fieldOf(error);
    const expected = error.context.at(-1)?.type.name ?? "another value";
    if (!first.has(field)) first.set(field, error.message ?? `Expected ${expected}`);
  }
  return Array.from(first, ([field, message]) => ({ field, message }));
};

/** Decodes user input before anything is sent; fails with `invalid` and a message for each field. */
export const decodeInput = <A, O>(codec: t.Type<A, O, unknown>, input: unknown): TE.TaskEither<Failure, A> =>
  pipe(
    codec.decode(input),
    E.mapLeft((errors) => invalid(fieldErrorsOf(errors))),
    TE.fromEither,
  );
