import { type MessageContent, maxMessageText } from "../../../core/webhooks/webhookEvent.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import { parseHeader, parseReducedMail, reduceMail } from "../../relay/evaluate/parseMail.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";

/** The most bytes that are parsed outside of a worker thread. The text of larger mail is left out. */
const maxParsedBytes = 64 * 1024;

interface ReadableContent {
  readonly content: { readonly head: Buffer; readonly size: number };
  readonly header: HeaderBlock;
  readonly readAll: () => Promise<Buffer>;
}

/**
 * Reads the subject and the text of a mail for the webhooks that ask for them; null where none does. Never rejects: what
 * cannot be read is left out.
 */
export const readWebhookContent = async (
  { content, header, readAll }: ReadableContent,
  routes: readonly MailRoute[],
): Promise<MessageContent | null> => {
  if (!routes.some(({ webhooks }) => webhooks === "content")) return null;
  try {
    const subject = (await parseHeader(content.head.subarray(0, header.end)))?.subject ?? "";
    const reduced = content.size > maxParsedBytes ? null : reduceMail(await readAll(), header);
    const text = reduced?.hasText ? (await parseReducedMail(reduced)).text : null;
    if (text === null) return { subject, isTextCut: true };
    return {
      subject,
      text: text.slice(0, maxMessageText).toWellFormed(),
      isTextCut: text.length > maxMessageText,
    };
  } catch {
    return {};
  }
};
