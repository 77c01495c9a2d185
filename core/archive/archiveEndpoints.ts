import * as t from "io-ts";
import { endpoint } from "../contract/endpoint.ts";
import { ArchivePage } from "./archivedMail.ts";

/** The newest archived mails, of one mask where it is named; those older than the one of the id `before`. */
export const listArchive = endpoint("GET", "/archive", {
  params: t.partial({ maskId: t.string, before: t.string }),
  answer: ArchivePage,
});

/** Deletes one; 404 when the caller has none of this id. The mail itself is GET at the same address: message/rfc822. */
export const deleteArchivedMail = endpoint("DELETE", "/archive/:id", { params: t.type({ id: t.string }) });

/** The mail of that id as it was kept, in base 64, for clients that read answers as text; it counts as read then. */
export const takeArchivedMail = endpoint("GET", "/archive/:id/copy", {
  params: t.type({ id: t.string }),
  answer: t.type({ content: t.string }),
});
