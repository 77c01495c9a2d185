import { coveredNames, type Tags } from "./tagList.ts";

/**
 * The part of a mail that a signature covers: "nothing" that counts, where it signs only a part of the body (l=) or leaves From,
 * Subject or Date open; "some" where To, Reply-To or Content-Type is open, as with the largest providers; else "all" that people
 * see. A field that the mail does not have need not be covered.
 */
export type Coverage = "nothing" | "some" | "all";

/** Every real signature covers them. */
const essentialNames = ["from", "subject", "date"];
/** Gmail and Yahoo leave Content-Type open, Microsoft 365 To and Reply-To. */
const furtherNames = ["to", "reply-to", "content-type"];

/** The part of a mail's means to leave a mailing list that a signature covers: its links, or also the offer of one click. */
export type UnsubscribeCoverage = "nothing" | "links" | "one-click";

/** Number of fields with a name in a mail, or of names in a list. */
export type Counts = ReadonlyMap<string, number>;

export const countNames = (names: readonly string[]): Counts => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** Returns how much a signature covers of a mail with these fields; one that is added to a covered one is not covered. */
export const coverageOf = (tags: Tags, fields: Counts): Coverage => {
  const covered = countNames(coveredNames(tags));
  const isCovered = (name: string): boolean => (covered.get(name) ?? 0) >= (fields.get(name) ?? 0);
  if (tags.has("l") || !covered.has("from") || !essentialNames.every(isCovered)) return "nothing";
  return furtherNames.every(isCovered) ? "all" : "some";
};

/**
 * Returns what of both fields a signature covers to which none is added; before a receiver unsubscribes by one click, it has
 * to find both covered (RFC 8058, 4).
 */
export const unsubscribeCoverageOf = (tags: Tags, fields: Counts): UnsubscribeCoverage => {
  const covered = countNames(coveredNames(tags));
  const isCovered = (name: string): boolean => {
    const count = fields.get(name) ?? 0;
    return count > 0 && (covered.get(name) ?? 0) >= count;
  };
  if (!isCovered("list-unsubscribe")) return "nothing";
  return isCovered("list-unsubscribe-post") ? "one-click" : "links";
};
