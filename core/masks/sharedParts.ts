import type { Mask } from "./mask.ts";

/** The fields that most masks of a user have in common; counters and texts of their own are not among them. */
const sharedFields = [
  "forwardTo",
  "destinations",
  "settings",
  "senders",
  "labels",
  "metadata",
  "expiry",
] as const satisfies readonly (keyof Mask)[];

/** Longer parts, such as settings with rules, are seldom equal. */
const maxCharacters = 400;

/** The most parts that are kept to be shared. */
const maxParts = 1_000;

const isEqual = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  const fields = Object.entries(one);
  const others = other as Record<string, unknown>;
  return (
    fields.length === Object.keys(other).length &&
    fields.every(([name, value]) => name in others && isEqual(value, others[name]))
  );
};

/**
 * Returns the known mask when the received one is equal, so that a list that is fetched again is neither shown again nor kept
 * twice; otherwise the received one.
 */
export const knownIfEqual = (known: Mask | undefined, received: Mask): Mask =>
  known !== undefined && isEqual(known, received) ? known : received;

/**
 * Creates a function that returns a mask whose parts are one object with the equal parts of masks before it: 10,000 masks
 * then take a third of the memory. Masks are never changed in place.
 */
export const createSharing = (): ((mask: Mask) => Mask) => {
  const parts = new Map<string, unknown>();
  const share = (part: unknown): unknown => {
    const text = JSON.stringify(part);
    if (text.length > maxCharacters) return part;
    const known = parts.get(text);
    if (known !== undefined) return known;
    if (parts.size < maxParts) parts.set(text, part);
    return part;
  };
  return (mask) => {
    const sharing: Record<string, unknown> = { ...mask };
    for (const name of sharedFields) {
      const part = mask[name];
      if (part !== undefined && part !== null) sharing[name] = share(part);
    }
    if (mask.updated !== undefined && mask.updated === mask.created) sharing["updated"] = mask.created;
    return sharing as Mask;
  };
};
