import * as t from "io-ts";
import { DerivedType } from "./derivedType.ts";

/** Replaces every error of a codec by one message for the user. */
export const withMessage = <A, O>(codec: t.Type<A, O, unknown>, message: string): t.Type<A, O, unknown> =>
  new DerivedType(codec, (u, context) => {
    const decoded = codec.validate(u, context);
    return decoded._tag === "Left" ? t.failure(u, context, message) : decoded;
  });

/** Adds a test to a codec, with its own error message. */
export const refined = <A, O>(
  codec: t.Type<A, O, unknown>,
  isValid: (value: A) => boolean,
  message: string,
): t.Type<A, O, unknown> =>
  new DerivedType(
    codec,
    (u, context) => {
      const decoded = codec.validate(u, context);
      return decoded._tag === "Left" || isValid(decoded.right) ? decoded : t.failure(u, context, message);
    },
    (u): u is A => codec.is(u) && isValid(u),
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

/** True if the text is well-formed Unicode without NUL, so that every database stores it unchanged. */
export const isStorable = (value: string): boolean => !/[\u0000\p{Surrogate}]/u.test(value);

const unstorable = "Remove characters that cannot be stored";

/** The most characters of a name (VA1). */
export const maxNameLength = 100;

/** A name, trimmed; `what` begins its messages, as in "Rule name is required". */
export const nameCodec = (what: string): t.Type<string, string, unknown> =>
  refined(
    refined(requiredText(`${what} is required`), isStorable, unstorable),
    (name) => name.length <= maxNameLength,
    `${what} must be ${maxNameLength} characters or less`,
  );

/** The digits of a one-time code. */
export const codeDigits = 6;

const codePattern = new RegExp(`^\\d{${codeDigits}}$`);

/** True if a text is a one-time code and nothing else. */
export const isOneTimeCode = (text: string): boolean => codePattern.test(text);

/** A one-time code (VA1); `what` begins its messages, as in "2FA code is required". */
export const codeCodec = (what: string): t.Type<string, string, unknown> =>
  refined(requiredText(`${what} is required`), isOneTimeCode, `${what} must be ${codeDigits} digits`);

/** The most characters of a text, where its rules say no other number. */
const maxFreeText = 1_000;

interface TextRules {
  readonly longest?: number;
  readonly allowsHtml?: boolean;
  /** Begins the messages, as in "A note must not contain HTML". */
  readonly what?: string;
}

const looksLikeHtml = /<[a-z!/?]/i;

/** Free text as it was typed; by default at most 1000 characters and without HTML (VA1). */
export const freeText = ({
  longest = maxFreeText,
  allowsHtml = false,
  what = "Text",
}: TextRules = {}): t.Type<string, string, unknown> =>
  refined(
    refined(
      refined(withMessage(t.string, `${what} is required`), isStorable, unstorable),
      (text) => text.length <= longest,
      `${what} must be ${longest} characters or less`,
    ),
    (text) => allowsHtml || !looksLikeHtml.test(text),
    `${what} must not contain HTML`,
  );

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
