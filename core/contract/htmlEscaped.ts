import * as t from "io-ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Text made harmless inside HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => entities[c] ?? c);

/**
 * The inverse of `escapeHtml` and of what others write instead (`&#x27;`, `&#039;`, `&apos;`); text that was never
 * escaped comes back as it is.
 */
export const unescapeHtml = (text: string): string =>
  text.replace(
    /&(?:#(x[\da-fA-F]{1,4}|\d{1,4})|(amp|lt|gt|quot|apos));/g,
    (entity, code?: string, name = "") =>
      code === undefined ? (named[name] ?? entity) : String.fromCharCode(Number(code.replace(/^x/, "0x"))),
  );

/** Text that travels HTML-escaped (SI8) and is plain again before it is used (D37). */
export const htmlEscaped = <A>(codec: t.Type<A, string, unknown>): t.Type<A, string, unknown> =>
  new t.Type(
    codec.name,
    codec.is,
    (u, context) => codec.validate(typeof u === "string" ? unescapeHtml(u) : u, context),
    (value) => escapeHtml(codec.encode(value)),
  );
