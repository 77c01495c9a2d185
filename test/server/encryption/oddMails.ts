import { forwarding } from "../../../server/relay/forwardedMail.ts";
import { readHeaderBlock } from "../../../server/relay/headerBlock.ts";
import { inWireForm } from "../../../server/smtp/wireForm.ts";
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
  return header && forwarding({ content, header, envelopeSender: "" }, "")("shop@masks.example");
};

/** Mails that others have collected because they are odd, as they would leave without a key. */
export const oddForwardedMails = (): readonly { readonly name: string; readonly clean: Buffer }[] =>
  odd
    .flatMap(([folder, ending]) => filesOf(folder, ending))
    .flatMap(({ name, content }) => {
      const clean = forwarded(inWireForm(content));
      return clean ? [{ name, clean }] : [];
    });
