import { createHash } from "node:crypto";
import MailComposer from "nodemailer/lib/mail-composer";
import { domainOf, mailboxKey } from "../../core/mail/emailAddress.ts";
import type { ParsedMail } from "../../core/mail/parsedMail.ts";
import type { Decision } from "../../core/rules/engine/decision.ts";
import type { AutoReply } from "./deliveryPlan.ts";

/** Limits of the References field of an automatic reply (RFC 5322, 3.6.4); the newest references are kept. */
const maxReferences = 20;
const maxReferenceLength = 500;

const messageIds = (value: string | undefined): readonly string[] =>
  (value?.match(/<[\x21-\x3b\x3d\x3f-\x7e]+>/g) ?? []).filter((id) => id.length <= maxReferenceLength);

const threadOf = ({ headers }: ParsedMail) => {
  const idsIn = (name: string) => messageIds(headers.find((header) => header.name === name)?.value);
  const [inReplyTo] = idsIn("message-id");
  if (inReplyTo === undefined) return {};
  const earlier = idsIn("references");
  return { inReplyTo, references: [...earlier, inReplyTo].slice(-maxReferences) };
};

const toPlainLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ").trim();

/**
 * Composes an automatic reply (RFC 3834). It goes to the envelope sender, so that a forged From or Reply-To
 * cannot direct it at others; it belongs to the mail's thread; and it is marked, so that no system answers it.
 */
export const composeAutoReply = async (
  parsedMail: ParsedMail,
  autoReply: NonNullable<Decision["autoReply"]>,
  to: string,
  from: { readonly maskEmail: string; readonly maskId: string; readonly id: string; readonly now: number },
): Promise<AutoReply> => {
  const content = await new MailComposer({
    from: { name: "", address: from.maskEmail },
    to: { name: "", address: to },
    subject: autoReply.subject || `Auto: ${toPlainLine(parsedMail.subject)}`,
    text: autoReply.message,
    ...threadOf(parsedMail),
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
