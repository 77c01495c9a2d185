import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { flag } from "../api/queryCodecs.ts";

/** A mail that a rule, or its mask, stored instead of forwarding it (D32). Dates are ISO 8601. */
export const ArchivedMail = t.intersection([
  t.type({
    id: t.string,
    maskId: t.string,
    /** In bytes. */
    size: t.number,
    read: t.boolean,
    archived: t.string,
  }),
  /** The time at which it is deleted; absent for as long as the plan keeps history. */
  t.partial({ until: t.string }),
]);
export type ArchivedMail = t.TypeOf<typeof ArchivedMail>;

/** A page of archived mails, newest first, and the storage that all of them use. */
export const ArchivePage = t.type({
  mails: t.readonlyArray(ArchivedMail),
  /** True if older mails exist. */
  more: t.boolean,
  /** In bytes, for all masks together. */
  storage: t.type({ used: t.number, limit: t.number }),
});
export type ArchivePage = t.TypeOf<typeof ArchivePage>;

/** Lists archived mails, newest first, optionally of one mask, and after the mail with the id `before`. */
export const listArchive = endpoint("GET", "/archive", {
  params: t.partial({ maskId: t.string, before: t.string }),
  answer: ArchivePage,
});

/** Deletes a mail; 404 when the user has none with this id. GET at this path returns it as message/rfc822. */
export const deleteArchivedMail = endpoint("DELETE", "/archive/:id", { params: t.type({ id: t.string }) });

/**
 * Returns the stored mail in base 64, for clients that read responses as text, and marks it as read unless `keepUnread` is
 * true.
 */
export const getArchivedContent = endpoint("GET", "/archive/:id/copy", {
  params: t.intersection([t.type({ id: t.string }), t.partial({ keepUnread: flag })]),
  answer: t.type({ content: t.string }),
});
