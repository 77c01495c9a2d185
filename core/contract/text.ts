import * as t from "io-ts";

/** A codec that answers every failure of another with one sentence for the user. */
export const saying = <A, O>(codec: t.Type<A, O, unknown>, message: string): t.Type<A, O, unknown> =>
  new t.Type(
    codec.name,
    codec.is,
    (u, context) => {
      const decoded = codec.validate(u, context);
      return decoded._tag === "Right" ? decoded : t.failure(u, context, message);
    },
    codec.encode,
  );

/** A codec narrowed by a further test with its own sentence. */
export const such = <A, O>(
  codec: t.Type<A, O, unknown>,
  holds: (value: A) => boolean,
  message: string,
): t.Type<A, O, unknown> =>
  new t.Type(
    codec.name,
    (u): u is A => codec.is(u) && holds(u),
    (u, context) => {
      const decoded = codec.validate(u, context);
      return decoded._tag === "Left" || holds(decoded.right) ? decoded : t.failure(u, context, message);
    },
    codec.encode,
  );

/** Text without surrounding space; `required` is said when nothing is left. */
export const requiredText = (required: string): t.Type<string, string, unknown> =>
  such(
    new t.Type<string, string, unknown>(
      "text",
      t.string.is,
      (u, context) => (typeof u === "string" ? t.success(u.trim()) : t.failure(u, context, required)),
      (value) => value,
    ),
    (value) => value.length > 0,
    required,
  );

/** Well-formed Unicode without NUL, so that every store keeps it as it came. */
export const isStorable = (value: string): boolean => !/[\u0000\p{Surrogate}]/u.test(value);
