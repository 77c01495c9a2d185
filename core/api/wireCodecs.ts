import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { DerivedType } from "./derivedType.ts";
import { fieldErrorsOf } from "./fieldErrors.ts";
import type { ReadableList } from "./leftOut.ts";
import { refined } from "./textCodecs.ts";

/** The last time that a date can have, in milliseconds since 1970 (ECMA-262, 21.4.1.1). */
const lastTimeMs = 8.64e15;

/** A time in milliseconds since 1970 that a date can have. */
export const Timestamp = refined(
  t.number,
  (ms) => ms >= 0 && ms <= lastTimeMs,
  "Expected milliseconds since 1970",
);

/** The most characters of a text that is shown in a line or a paragraph. */
const maxShownText = 10_000;

/** Text that is short enough to be shown. */
export const ShownText = refined(t.string, (text) => text.length <= maxShownText, "Text is too long");

/**
 * The same codec for values that decoding returns as they are: a valid one is only checked, which takes a third of the time;
 * another one is decoded for its errors.
 */
export const asReceived = <A, O>(codec: t.Type<A, O, unknown>): t.Type<A, O, unknown> =>
  new DerivedType(codec, (u, context) => (codec.is(u) ? t.success(u) : codec.validate(u, context)));

/** The fields of a received object. */
type Fields = Readonly<Record<string, unknown>>;

/** Returns the fields of a received object that are neither null nor missing; none for another value. */
export const givenFields = (received: unknown): Fields =>
  typeof received === "object" && received !== null && !Array.isArray(received)
    ? Object.fromEntries(
        Object.entries(received).filter(([, value]) => value !== null && value !== undefined),
      )
    : {};

/**
 * The same codec for objects of servers that leave fields out, or write them otherwise, as far as the specification lets them:
 * what the codec does not accept as it is, it accepts as `complete` returns it.
 */
export const completed = <A, O>(
  codec: t.Type<A, O, unknown>,
  complete: (given: Fields) => Fields,
): DerivedType<A, O> =>
  new DerivedType(codec, (u, context) => {
    if (codec.is(u)) return t.success(u);
    const isObject = typeof u === "object" && u !== null && !Array.isArray(u);
    return codec.validate(isObject ? complete(givenFields(u)) : u, context);
  });

/** The codec of an answer whose form the specification leaves open: one that cannot be read counts as empty. */
export const openAnswer = <A, O>(codec: t.Type<A, O, unknown>): DerivedType<A, O> =>
  new DerivedType(codec, (u, context) => {
    const decoded = codec.validate(givenFields(u), context);
    return E.isRight(decoded) ? decoded : codec.validate({}, context);
  });

/** Returns an id as text, which other servers may write as a number. */
export const idText = (id: unknown): unknown => (typeof id === "number" ? String(id) : id);

/** Returns a date in ISO 8601, which other servers may write in milliseconds since 1970. */
export const dateText = (date: unknown): unknown =>
  typeof date === "number" && Timestamp.is(date) ? new Date(date).toISOString() : date;

/** Returns a time in milliseconds since 1970, which other servers may write in ISO 8601. */
export const timestampOf = (time: unknown): unknown => (typeof time === "string" ? Date.parse(time) : time);

const problemsOf = (errors: t.Errors): string =>
  fieldErrorsOf(errors)
    .map(({ field, message }) => `${field}: ${message}`)
    .join(", ");

/**
 * The codec of a list that leaves out entries it cannot decode, so that they do not hide the others. What is not a
 * list is an error.
 */
export const readableList = <A, O>(entry: t.Type<A, O, unknown>): t.Type<ReadableList<A>, unknown, unknown> =>
  new t.ArrayType<typeof entry, ReadableList<A>, unknown, unknown>(
    `readable list of ${entry.name}`,
    (u): u is ReadableList<A> => Array.isArray(u) && u.every(entry.is),
    (u, context) => {
      if (!Array.isArray(u)) return t.failure(u, context);
      const entries = u.map((one: unknown) => entry.decode(one));
      const read = entries.flatMap((decoded) => (E.isRight(decoded) ? [decoded.right] : []));
      const leftOut = entries.flatMap((decoded) => (E.isLeft(decoded) ? [problemsOf(decoded.left)] : []));
      return t.success(leftOut.length === 0 ? read : Object.assign(read, { leftOut }));
    },
    (list) => list.map(entry.encode),
    entry,
  );

/** Says how many things of a list could not be shown, as in "2 masks could not be shown."; empty for none. */
export const leftOutText = (count: number, noun: string): string =>
  count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"} could not be shown.`;
