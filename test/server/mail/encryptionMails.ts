import { readHeaderBlock } from "../../../server/delivery/headerBlock.ts";
import { prepareForwarding } from "../../../server/mail/forwardedMail.ts";
import { originalSender } from "../../../server/mail/originalSender.ts";
import { senderOf } from "../../../server/senders/author.ts";
import { normalizeLineEndings } from "../../../server/smtp/lineEndings.ts";
import { filesOf } from "../support/corpora.ts";

const odd = [
  ["mime/cpython", ".txt"],
  ["mime/enmime", ".raw"],
  ["mime/mime4j-testmsgs", ".msg"],
  ["mime/postal-mime", ".eml"],
  ["mime/ruby-mail", ".eml"],
  ["mime/stalwart-rfc", ".eml"],
] as const;

const forwarded = (content: Buffer): Buffer | null => {
  const header = readHeaderBlock(content);
  if (!header) return null;
  const mail = {
    head: content,
    header,
    envelopeSender: "",
    sender: senderOf(originalSender(content, header)),
  };
  const head = prepareForwarding(mail, "", {
    host: "masks.example",
    evidence: null,
    acceptUnproven: false,
  })("shop@masks.example");
  return Buffer.concat([head, content.subarray(header.end)]);
};

/** The odd mails of public collections, as they are forwarded without a key. */
export const oddForwardedMails = (): readonly { readonly name: string; readonly clean: Buffer }[] =>
  odd
    .flatMap(([folder, ending]) => filesOf(folder, ending))
    .flatMap(({ name, content }) => {
      const clean = forwarded(normalizeLineEndings(content));
      return clean ? [{ name, clean }] : [];
    });
