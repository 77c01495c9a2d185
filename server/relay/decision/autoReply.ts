import { createHash } from "node:crypto";
import MailComposer from "nodemailer/lib/mail-composer";
import { domainOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { ParsedMail } from "../../../core/mail/parsedMail.ts";
import type { Decision } from "../../../core/rules/engine/decision.ts";
import type { AutoReply } from "./mailDecision.ts";

/** Longer ids are no ids of mail programs. */
const maxIdLength = 250;

/** The subject of an answer whose rule has none; never that of the mail, which a stranger chose. */
const defaultSubject = "Automatic answer";

/** The id of the answered mail is all that an answer repeats of it (RFC 3834, 3.1.6). */
const threadOf = ({ headers }: ParsedMail) => {
  const value = headers.find(({ name }) => name === "message-id")?.value.trim() ?? "";
  const isId = value.length <= maxIdLength && /^<[\x21-\x3b\x3d\x3f-\x7e]+>$/.test(value);
  return isId ? { inReplyTo: value, references: [value] } : {};
};

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
    subject: autoReply.subject || defaultSubject,
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
