import type { ThreadIds } from "../threadIds.ts";

/** Translates the ids of the owner's events, which name the owner's provider or program. */
export interface CalendarIds {
  /** Returns the id by which others know an event of the owner. */
  readonly toOutside: (uid: string) => string;
  /** Returns the owner's id of an event that others know by another one; null for all others. */
  readonly toOwner: (uid: string) => string | null;
}

/** No Message-ID begins so: somebody who sends one as the id of an event learns nothing of it. */
const mark = "event:";

const toBytes = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const fromBytes = (bytes: string): string => Buffer.from(bytes, "latin1").toString("utf8");

const withoutBrackets = (id: string): string => id.slice(1, -1);

/** Creates the translation of event ids from that of Message-IDs: nothing is stored, and the same id always becomes the same. */
export const createCalendarIds = (ids: ThreadIds): CalendarIds => ({
  toOutside: (uid) => withoutBrackets(ids.toOutside(`<${mark}${toBytes(uid)}>`)),
  toOwner: (uid) => {
    const inner = withoutBrackets(ids.toOwner(`<${uid}>`));
    return inner.startsWith(mark) ? fromBytes(inner.slice(mark.length)) : null;
  },
});
