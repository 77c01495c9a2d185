import type { Sender } from "../../../core/mail/forwardedFrom.ts";

/** Somebody in a calendar. */
export interface CalendarPerson extends Sender {
  readonly isOrganizer: boolean;
}

/** By what addresses and ids the owner's calendar program knows those of a calendar. */
export interface CalendarNames {
  /** True if an address is the mask's or the owner's. */
  readonly isOwn: (address: string) => boolean;
  /** The address of the owner that gets the copy. */
  readonly recipient: string;
  /** Returns the reverse address of somebody else; null where there is none. */
  readonly reverseOf: (person: Sender, isOrganizer: boolean) => string | null;
  /** Returns the owner's id of an event that others know by another one; null for events of others. */
  readonly ownIdOf: (uid: string) => string | null;
}
