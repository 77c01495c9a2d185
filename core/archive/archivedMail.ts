import * as t from "io-ts";

/** A mail that a rule has kept here instead of sending it on (D32). Dates are ISO 8601. */
export const ArchivedMail = t.type({
  id: t.string,
  maskId: t.string,
  /** Bytes. */
  size: t.number,
  read: t.boolean,
  archived: t.string,
});
export type ArchivedMail = t.TypeOf<typeof ArchivedMail>;

/** What of an archive is listed, the newest first, and how much room all of it takes. */
export const ArchivePage = t.type({
  mails: t.readonlyArray(ArchivedMail),
  /** Whether there are older ones. */
  more: t.boolean,
  /** Bytes, of all masks together. */
  storage: t.type({ used: t.number, limit: t.number }),
});
export type ArchivePage = t.TypeOf<typeof ArchivePage>;
