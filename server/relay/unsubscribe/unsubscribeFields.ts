import type { MailRoute } from "../../features/masks/mailRoute.ts";
import type { UnsubscribeLinks } from "../../features/unsubscribe/unsubscribeLinks.ts";
import type { MailWithHeader } from "../../mime/mailFields.ts";
import { type OwnPlaces, readListTargets } from "./listTarget.ts";

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

/** Writes the fields for one mask; null where they stay as the list wrote them. */
export type WriteUnsubscribe = (
  mail: MailWithHeader,
  route: Pick<MailRoute, "userId" | "maskId" | "unsubscribe">,
  isSigned: boolean,
  now: number,
) => UnsubscribeFields | null;

/** Creates the function that writes them; what a list asks for stays where it is too long for a line. */
export const createWriteUnsubscribe =
  (links: Pick<UnsubscribeLinks, "url">, own: OwnPlaces): WriteUnsubscribe =>
  (mail, { userId, maskId, unsubscribe }, isSigned, now) => {
    if (unsubscribe === "as-is") return null;
    for (const target of readListTargets(mail, isSigned, own)) {
      const url = links.url({ userId, maskId, target }, now);
      if (url.length > maxUrl) continue;
      const post = target.way.kind === "page" ? "" : "List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n";
      return { replaced, url, text: `List-Unsubscribe:\r\n <${url}>\r\n${post}` };
    }
    return null;
  };
