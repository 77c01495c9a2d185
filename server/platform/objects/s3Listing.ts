import type { ListedObject, ObjectPage } from "./objectStore.ts";

/** Returns the text of the first element of a name; null without one. */
const textOf = (xml: string, element: string): string | null => {
  const start = xml.indexOf(`<${element}>`);
  if (start === -1) return null;
  const from = start + element.length + 2;
  const end = xml.indexOf(`</${element}>`, from);
  return end === -1 ? null : xml.slice(from, end);
};

/** Returns the code of an error, such as SlowDown; empty without one. */
export const errorCodeOf = (xml: string): string => {
  const code = textOf(xml, "Code") ?? "";
  return /^\w{1,64}$/.test(code) ? code : "";
};

/** Reads a page of objects (ListObjectsV2); `now` is the clock of the store. Names that are not ours are left out. */
export const readListing = (xml: string, prefix: string, now: number): ObjectPage => {
  const objects: ListedObject[] = [];
  let last: string | null = null;
  for (const entry of xml.split("<Contents>").slice(1)) {
    const key = textOf(entry, "Key") ?? "";
    const modifiedAt = Date.parse(textOf(entry, "LastModified") ?? "");
    if (!key.startsWith(prefix)) continue;
    last = key.slice(prefix.length);
    if (/^[\w-]+$/.test(last) && Number.isFinite(modifiedAt))
      objects.push({ name: last, ageMs: now - modifiedAt });
  }
  return { objects, next: textOf(xml, "IsTruncated") === "true" ? last : null };
};
