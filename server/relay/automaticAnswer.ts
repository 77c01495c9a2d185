import { createHash } from "node:crypto";
import MailComposer from "nodemailer/lib/mail-composer";
import { domainOf, mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Decision } from "../../core/relay/decision.ts";
import type { Message } from "../../core/relay/message.ts";
import type { AutomaticAnswer } from "./passage.ts";

/** The references of an answer (RFC 5322, 3.6.4), the newest kept where there are many. */
const mostReferences = 20;
const longestReference = 500;

const messageIds = (value: string | undefined): readonly string[] =>
  (value?.match(/<[\x21-\x3b\x3d\x3f-\x7e]+>/g) ?? []).filter((id) => id.length <= longestReference);

const threadOf = ({ headers }: Message) => {
  const idsIn = (name: string) => messageIds(headers.find((header) => header.name === name)?.value);
  const [inReplyTo] = idsIn("message-id");
  if (inReplyTo === undefined) return {};
  const earlier = idsIn("references");
  return { inReplyTo, references: [...earlier, inReplyTo].slice(-mostReferences) };
};

const plainLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ").trim();

/**
 * An answer by itself (RFC 3834): to the envelope sender, so that nobody has others answered by a forged From or
 * Reply-To; in the thread of the mail; and marked, so that no machine answers it again.
 */
export const automaticAnswer = async (
  message: Message,
  wanted: NonNullable<Decision["autoReply"]>,
  to: string,
  from: { readonly maskEmail: string; readonly maskId: string; readonly id: string; readonly now: number },
): Promise<AutomaticAnswer> => {
  const content = await new MailComposer({
    from: { name: "", address: from.maskEmail },
    to: { name: "", address: to },
    subject: wanted.subject || `Auto: ${plainLine(message.subject)}`,
    text: wanted.message,
    ...threadOf(message),
    date: new Date(from.now),
    messageId: `<${from.id}@${domainOf(from.maskEmail)}>`,
    headers: { "Auto-Submitted": "auto-replied", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "windows",
  })
    .compile()
    .build();
  const senderHash = createHash("sha256")
    .update(`${from.maskId}\n${mailboxKey(to)}`)
    .digest("base64url");
  return { recipient: to, content, senderHash };
};
