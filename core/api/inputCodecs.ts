import * as t from "io-ts";
import { codeCodec, freeText, nameCodec, refined, requiredText } from "./textCodecs.ts";

// The general validator (VA1). What the forms have fields for, they check with the same functions of textCodecs.ts.

export { freeText };

/** A codec for user input; its error message tells the user what to do. */
type InputCodec = t.Type<string, string, unknown>;

const asTyped: InputCodec = new t.Type("text", t.string.is, t.string.validate, (value) => value);

const matching = (codec: InputCodec, pattern: RegExp, message: string): InputCodec =>
  refined(codec, (text) => pattern.test(text), message);

/** The fewest characters of a password. */
const minPasswordLength = 8;

/**
 * At least `minPasswordLength` characters, among them a lower-case and an upper-case letter, a number and a special character.
 */
export const Password: InputCodec = [
  [
    new RegExp(`^.{${minPasswordLength},}$`, "su"),
    `Password must be at least ${minPasswordLength} characters`,
  ] as const,
  [/\p{Ll}/u, "Password must contain a lowercase letter"] as const,
  [/\p{Lu}/u, "Password must contain an uppercase letter"] as const,
  [/\p{Nd}/u, "Password must contain a number"] as const,
  [/[^\p{L}\p{N}\p{M}\s]/u, "Password must contain a special character"] as const,
].reduce<InputCodec>((codec, [pattern, message]) => matching(codec, pattern, message), asTyped);

/** A person's name, at most 100 characters. */
export const PersonName: InputCodec = nameCodec("Name");

/** A telephone number of 7 to 15 digits (the maximum of E.164) with the usual separators. */
export const Phone: InputCodec = refined(
  matching(requiredText("Phone number is required"), /^\+?[\d\s().-]+$/, "Enter a valid phone number"),
  (phone) => /^\d{7,15}$/.test(phone.replace(/\D/g, "")),
  "Enter a valid phone number",
);

/** An http or https address with a host. */
export const WebAddress: InputCodec = matching(
  requiredText("URL is required"),
  /^https?:\/\/(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)*[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?(?::\d{1,5})?(?:[/?#]\S*)?$/iu,
  "Enter a valid URL, such as https://example.org",
);

/** Checks the Luhn digit of ISO/IEC 7812-1: from the right, every second digit counts double. */
const passesLuhn = (digits: string): boolean =>
  Array.from(digits, Number)
    .reverse()
    .reduce((sum, digit, place) => sum + (place % 2 === 0 ? digit : (digit * 2) % 9 || (digit && 9)), 0) %
    10 ===
  0;

/** A payment card number: 13 to 19 digits that pass the Luhn check; spaces and hyphens are removed. */
export const CardNumber: InputCodec = refined(
  new t.Type(
    "card number",
    t.string.is,
    (u, context) =>
      typeof u === "string"
        ? t.success(u.replace(/[\s-]/g, ""))
        : t.failure(u, context, "Card number is required"),
    (value) => value,
  ),
  (digits) => /^\d{13,19}$/.test(digits) && passesLuhn(digits),
  "Enter a valid card number",
);

/** A one-time code. */
export const Code: InputCodec = codeCodec("Code");
