import { senderOf } from "../../../../server/mime/author.ts";
import { readHeaderBlock } from "../../../../server/mime/headerBlock.ts";
import { prepareForwarding } from "../../../../server/relay/decision/forwardedMail.ts";
import { originalSender } from "../../../../server/relay/receive/originalSender.ts";
import { normalizeLineEndings } from "../../../../server/smtp/lineEndings.ts";

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

/** Returns mails as they are forwarded without a key, but none without a header. */
export const forwardedMails = (
  mails: readonly { readonly name: string; readonly content: Buffer }[],
): readonly { readonly name: string; readonly clean: Buffer }[] =>
  mails.flatMap(({ name, content }) => {
    const clean = forwarded(normalizeLineEndings(content));
    return clean ? [{ name, clean }] : [];
  });
