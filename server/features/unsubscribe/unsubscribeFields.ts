import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { MailWithHeader } from "../../mime/mailFields.ts";
import type { UnsubscribeSigners } from "../../proof/evidence.ts";
import type { MailPart } from "../../relay/mailPart.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import { Note } from "../../relay/notes.ts";
import { nameOfList, type OwnPlaces, readListTargets } from "./listTarget.ts";
import type { MailingLists, SeenList } from "./mailingLists.ts";
import type { UnsubscribeLinks } from "./unsubscribeLinks.ts";

/** The fields of a forwarded mail by which its list is left through the mask. */
export interface UnsubscribeFields {
  /** The replaced original fields, in lower case. */
  readonly replaced: ReadonlySet<string>;
  /** Complete lines. */
  readonly text: string;
  readonly url: string;
}

/** A line of a header has at most 998 octets (RFC 5322, 2.1.1), here with a blank and two brackets around a link. */
const maxUrl = 995;

const replaced: ReadonlySet<string> = new Set(["list-unsubscribe", "list-unsubscribe-post"]);

/**
 * The part of a mail that leaves its list: the fields, null where they stay as the list wrote them, and what is kept for the app.
 */
export interface UnsubscribeOfMail {
  readonly fields: UnsubscribeFields | null;
  /** null where the list cannot be left, or is left as it says. */
  readonly list: SeenList | null;
}

interface ListMail extends MailWithHeader {
  readonly sender: Sender | null;
  /** The domains whose signatures cover what the list asks for; null where nobody has checked them. */
  readonly signers: UnsubscribeSigners | null;
  readonly now: number;
}

/** Writes them for one mask. */
export type WriteUnsubscribe = (
  mail: ListMail,
  route: Pick<MailRoute, "userId" | "maskId" | "unsubscribe">,
) => UnsubscribeOfMail;

const nothing: UnsubscribeOfMail = { fields: null, list: null };

/** Creates the function that writes them; what a list asks for stays in the header where it is too long for a line. */
export const createWriteUnsubscribe =
  (
    links: Pick<UnsubscribeLinks, "url">,
    lists: Pick<MailingLists, "prepare">,
    own: OwnPlaces,
  ): WriteUnsubscribe =>
  (mail, { userId, maskId, unsubscribe }) => {
    if (unsubscribe === "as-is") return nothing;
    const targets = readListTargets(mail, mail.signers, own);
    const [best] = targets;
    if (!best) return nothing;
    const sender = mail.sender ?? { name: "", address: nameOfList(best) };
    const list = lists.prepare({ userId, maskId }, sender, best);
    for (const target of targets) {
      const url = links.url({ userId, maskId, list: list.id, target }, mail.now);
      if (url.length > maxUrl) continue;
      // Providers press such a link without a question.
      const post = target.isProven !== true ? "" : "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n";
      return { list, fields: { replaced, url, text: `List-Unsubscribe:\r\n <${url}>\r\n${post}` } };
    }
    return { list, fields: null };
  };

const listNote = new Note<SeenList>();

/** Creates the treatment by which lists are left through a mask, and the record of the lists that a mask gets mail of. */
export const createUnsubscribePart = (
  links: Pick<UnsubscribeLinks, "url">,
  lists: Pick<MailingLists, "prepare" | "record">,
  own: OwnPlaces,
): MailPart => {
  const write = createWriteUnsubscribe(links, lists, own);
  return {
    treatments: [
      ({ content, header, sender, now }) =>
        ({ route, evidence }) => {
          const signers = evidence?.unsubscribeSigners ?? null;
          const { fields, list } = write({ content: content.head, header, signers, sender, now }, route);
          return {
            ...(fields && { fields, unsubscribeUrl: fields.url }),
            ...(list && { notes: listNote.of(list) }),
          };
        },
    ],
    records: [
      {
        store: ({ db, now }, mails) =>
          lists.record(
            db,
            mails.flatMap(({ decided }) => listNote.in(decided) ?? []),
            now,
          ),
      },
    ],
  };
};
