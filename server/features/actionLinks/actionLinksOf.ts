import { toAnswerable } from "../../../core/mail/answerableAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import { linkFieldValues } from "../../mime/headerLinks.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import type { SignedLinks } from "./actionLinks.ts";
import type { FooterLink, LinkFooter } from "./linkFooter.ts";

/** The links of a mail at one mask, as fields of its header and as what stands below its text. */
interface LinksOfMail {
  readonly fields: string;
  readonly footer: LinkFooter;
}

const switchOffField = "X-Bauta-Switch-Off";
const blockField = "X-Bauta-Block-Sender";

const maxListUrl = 800;
/** A line of a header has at most 998 octets (RFC 5322, 2.1.1), here with a blank and two brackets around a link. */
const maxUrl = 995;

/** Returns the page of a mailing list on which readers unsubscribe; null when its header names none on the web. */
const unsubscribePage = (head: Buffer, header: HeaderBlock): FooterLink | null => {
  const field = header.fields.find(({ name }) => name === "list-unsubscribe");
  if (!field || field.end - field.valueStart > 4 * maxListUrl) return null;
  const [value = ""] = linkFieldValues({ content: head, header }, "list-unsubscribe");
  const url = /<(https:\/\/[\x21-\x3b\x3d\x3f-\x7e]+)>/i.exec(value)?.[1];
  if (url === undefined || url.length > maxListUrl || !URL.canParse(url)) return null;
  return { label: `Unsubscribe at ${new URL(url).host}`, url };
};

const isAscii = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

interface LinkedMail {
  readonly head: Buffer;
  readonly header: HeaderBlock;
  readonly sender: Sender | null;
  readonly now: number;
  /** The address at which its list is left through the mask; null where it is left as the list says. */
  readonly unsubscribeUrl: string | null;
}

/** Creates the links of a mail for one mask: switch it off, block the sender, and the list's own way to leave it. */
export const actionLinksOf = (
  links: Pick<SignedLinks, "url">,
  mail: LinkedMail,
  { userId, maskId, maskEmail }: Pick<MailRoute, "userId" | "maskId" | "maskEmail">,
): LinksOfMail => {
  const { head, header, now, unsubscribeUrl } = mail;
  const address = mail.sender?.address ?? "";
  const sender = isAscii(address) ? toAnswerable(address) : null;
  const switchOff = links.url(userId, { maskId, action: "switch-off", sender: "" }, now);
  const url = sender === null ? null : links.url(userId, { maskId, action: "block", sender }, now);
  const block = url !== null && url.length <= maxUrl ? url : null;
  const list =
    unsubscribeUrl === null
      ? unsubscribePage(head, header)
      : { label: "Unsubscribe through this mask", url: unsubscribeUrl };
  return {
    fields: [
      `${switchOffField}:\r\n <${switchOff}>\r\n`,
      ...(block === null ? [] : [`${blockField}:\r\n <${block}>\r\n`]),
    ].join(""),
    footer: {
      about: `This email came to your mask ${maskEmail}.`,
      links: [
        { label: "Switch off this mask", url: switchOff },
        ...(block === null ? [] : [{ label: `Block ${sender}`, url: block }]),
        ...(list === null ? [] : [list]),
      ],
    },
  };
};
