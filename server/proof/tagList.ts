/** The tags of a signature or a key record (RFC 6376, 3.2), by name, each value without white space around it. */
export type Tags = ReadonlyMap<string, string>;

/** Returns the tags in a text. */
export const tagsIn = (text: string): Tags =>
  new Map(
    text.split(";").map((tag): [string, string] => {
      const equals = tag.indexOf("=");
      return [tag.slice(0, Math.max(equals, 0)).trim(), tag.slice(equals + 1).trim()];
    }),
  );

/** Returns the tags in a header field. */
export const signatureTags = (field: string): Tags => tagsIn(field.slice(field.indexOf(":") + 1));

/** Returns the value of a tag in which white space means nothing, such as a key; empty when it is missing. */
export const compactTag = (tags: Tags, name: string): string => (tags.get(name) ?? "").replaceAll(/\s/g, "");

/** Returns the names in an h= tag, in lower case. */
export const coveredNames = (tags: Tags): readonly string[] =>
  (tags.get("h") ?? "")
    .split(":")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
