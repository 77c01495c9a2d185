import { parseHeaderValue } from "nodemailer/lib/mime-funcs";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { decodeEncodedWords, decodeWestern, findDecoder } from "../../../mime/charsets.ts";
import { type HeaderBlock, readHeaderBlock } from "../../../mime/headerBlock.ts";
import { fieldValues } from "../../../mime/mailFields.ts";
import { findParts, findTransferEncoding, parseField } from "../../../mime/mimeLeaves.ts";
import { createOwnerFinder, createTraceFinder, type Disguise } from "./ownerTraces.ts";
import { isPgpText } from "./pgpText.ts";

/** The search for traces of the owner in what would leave. */
export interface FinalScan {
  /**
   * Returns whether a finished mail shows the owner somewhere. Signed and encrypted parts, and files that are no text, are not
   * searched.
   */
  readonly showsOwner: (mail: Buffer) => boolean;
  /** Returns whether a text that the owner neither sees nor writes, such as the name of a file, shows the owner. */
  readonly isTrace: (text: string) => boolean;
}

/** The characters that base 64 has for a text after 0, 1 or 2 other bytes, without those that depend on its neighbors. */
const base64Forms = (text: string): readonly string[] =>
  [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const whole = bytes.length - (bytes.length % 3);
    return bytes
      .subarray(0, whole)
      .toString("base64")
      .slice(before === 0 ? 0 : before + 1);
  });

/** Fields whose text or addresses the owner chooses; in all others only programs write. */
const chosenFields = /^(?:from|to|cc|subject|date|message-id|in-reply-to|references|mime-version)$/;
/** Attributes of HTML whose values are read by people. */
const shownAttribute =
  /\s(?:title|alt|name|content|summary|label|placeholder|aria-label)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
/** Properties of calendars that people write. */
const chosenProperty = /^(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT|URL|BEGIN|END)\b/i;

const isSealedType = (type: string): boolean =>
  /^multipart\/(?:signed|encrypted)$|^application\/(?:x-)?pkcs7-mime$/.test(type);

const tagsOf = (html: string): readonly string[] => html.match(/<[a-z][^<>]*>/gi) ?? [];

/** Addresses of others in a calendar. */
const withoutMailto = (line: string): string => line.replaceAll(/mailto:[^\s;:,"]*/gi, "");

/** Creates the last check of a finished mail, which decodes each part anew. */
export const createFinalScan = (disguise: Disguise): FinalScan => {
  const findsOwner = createOwnerFinder(disguise);
  const findsTrace = createTraceFinder(disguise);
  const encoded = disguise.ownerAddresses
    .flatMap((address) => [address, mailboxKey(address)])
    .flatMap(base64Forms)
    .filter((form) => form.length >= 12);

  const isEncodedIn = (text: string): boolean => {
    const joined = text.replaceAll(/[\s>]+/g, "");
    return encoded.some((form) => joined.includes(form));
  };
  const isShown = (text: string): boolean => findsOwner(text) || isEncodedIn(text);
  const isTrace = (text: string): boolean => isShown(text) || findsTrace(text);

  const isInHtml = (html: string): boolean =>
    isShown(html) ||
    findsOwner(html.replaceAll(/<[^<>]*>/g, "")) ||
    tagsOf(html).some((tag) =>
      [...tag.matchAll(shownAttribute)].some(([, double, single, bare]) =>
        findsTrace(double ?? single ?? bare ?? ""),
      ),
    );

  const isInCalendar = (text: string): boolean => {
    const lines = text.replaceAll(/\r?\n[ \t]/g, "").split(/\r?\n/);
    return (
      isShown(lines.join("\n")) ||
      lines.some((line) => !chosenProperty.test(line) && findsTrace(withoutMailto(line)))
    );
  };

  const isInFields = (content: Buffer, header: HeaderBlock): boolean =>
    header.fields.some(({ name }) =>
      fieldValues({ content, header }, name).some((value) => {
        if (chosenFields.test(name)) return isShown(decodeEncodedWords(value));
        const { params } = parseHeaderValue(value);
        const { boundary: _, charset: __, type: ___, ...others } = params;
        return isShown(value) || Object.values(others).some((param) => isTrace(decodeEncodedWords(param)));
      }),
    );

  const isInLeaf = (type: string, charset: string, bytes: Buffer): boolean => {
    const isText = type === "" || type.startsWith("text/") || charset !== "";
    if (!isText) return false;
    const text = findDecoder(charset === "" ? "utf-8" : charset)?.(bytes) ?? decodeWestern(bytes);
    if (type === "text/plain" && isPgpText(text)) return false;
    if (/html/.test(type)) return isInHtml(text);
    return type === "text/calendar" ? isInCalendar(text) : isShown(text);
  };

  const isIn = (content: Buffer): boolean => {
    const header = readHeaderBlock(content);
    if (!header || isInFields(content, header)) return true;
    const { value: type, params } = parseField(content, header, "content-type");
    if (isSealedType(type)) return false;
    const body = content.subarray(header.end + (content[header.end] === 0x0d ? 2 : 0));
    if (type.startsWith("multipart/"))
      return findParts(body, params["boundary"] ?? "").some(([start, end]) =>
        isIn(body.subarray(start, end)),
      );
    if (type === "message/rfc822" || type === "text/rfc822-headers") return isIn(body);
    const encoding = parseField(content, header, "content-transfer-encoding").value;
    const coding = findTransferEncoding(encoding);
    return !coding || isInLeaf(type, params["charset"] ?? "", Buffer.from(coding.decode(body), "latin1"));
  };

  return { showsOwner: isIn, isTrace };
};
