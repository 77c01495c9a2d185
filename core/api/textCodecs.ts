import * as t from "io-ts";

/** Replaces every error of a codec by one message for the user. */
export const withMessage = <A, O>(codec: t.Type<A, O, unknown>, message: string): t.Type<A, O, unknown> =>
  new t.Type(
    codec.name,
    codec.is,
    (u, context) => {
      const decoded = codec.validate(u, context);
      return decoded._tag === "Right" ? decoded : t.failure(u, context, message);
    },
    codec.encode,
  );

/** Adds a test to a codec, with its own error message. */
export const refined = <A, O>(
  codec: t.Type<A, O, unknown>,
  isValid: (value: A) => boolean,
  message: string,
): t.Type<A, O, unknown> =>
  new t.Type(
    codec.name,
    (u): u is A => codec.is(u) && isValid(u),
    (u, context) => {
      const decoded = codec.validate(u, context);
      return decoded._tag === "Left" || isValid(decoded.right) ? decoded : t.failure(u, context, message);
    },
    codec.encode,
  );

/** Trimmed text that is not empty; `required` is the message for empty text. */
export const requiredText = (required: string): t.Type<string, string, unknown> =>
  refined(
    new t.Type<string, string, unknown>(
      "text",
      t.string.is,
      (u, context) => (typeof u === "string" ? t.success(u.trim()) : t.failure(u, context, required)),
      (value) => value,
    ),
    (value) => value.length > 0,
    required,
  );

/** Whether the text is well-formed Unicode without NUL, so that every database stores it unchanged. */
export const isStorable = (value: string): boolean => !/[\u0000\p{Surrogate}]/u.test(value);

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Escapes text for use inside HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => entities[c] ?? c);

/** Reverses `escapeHtml` and common variants (`&#x27;`, `&#039;`, `&apos;`). */
export const unescapeHtml = (text: string): string =>
  text.replace(
    /&(?:#(x[\da-fA-F]{1,4}|\d{1,4})|(amp|lt|gt|quot|apos));/g,
    (entity, code?: string, name = "") =>
      code === undefined ? (named[name] ?? entity) : String.fromCharCode(Number(code.replace(/^x/, "0x"))),
  );

/** A codec whose encoded form is HTML-escaped; decoding unescapes it. */
export const htmlEscaped = <A>(codec: t.Type<A, string, unknown>): t.Type<A, string, unknown> =>
  new t.Type(
    codec.name,
    codec.is,
    (u, context) => codec.validate(typeof u === "string" ? unescapeHtml(u) : u, context),
    (value) => escapeHtml(codec.encode(value)),
  );
