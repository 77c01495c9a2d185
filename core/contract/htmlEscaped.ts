import * as t from "io-ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const characters = new Map(Object.entries(entities).map(([character, entity]) => [entity, character]));

/** Text made harmless inside HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (c) => entities[c] ?? c);

/** The inverse of `escapeHtml`; text that was never escaped comes back as it is. */
export const unescapeHtml = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity) ?? entity);

/** Text that travels HTML-escaped (SI8) and is plain again before it is used (D37). */
export const htmlEscaped = <A>(codec: t.Type<A, string, unknown>): t.Type<A, string, unknown> =>
  new t.Type(
    codec.name,
    codec.is,
    (u, context) => codec.validate(typeof u === "string" ? unescapeHtml(u) : u, context),
    (value) => escapeHtml(codec.encode(value)),
  );
