import MailComposer from "nodemailer/lib/mail-composer";
import type { Random } from "../../core/ports/random.ts";
import { newId } from "../store/id.ts";

/** Who our own mails come from. */
export interface Sender {
  readonly brand: string;
  readonly maskDomain: string;
  /** The origin people reach the app at. */
  readonly publicUrl: string;
}

/**
 * Envelope sender and From of every mail of our own. No mask can have this name: what people send to it is refused
 * at RCPT like mail to any unknown mask, and a bounce is taken and ends there.
 */
export const ownAddress = ({ maskDomain }: Sender): string => `no-reply@${maskDomain}`;

export interface OwnMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Writes a mail of our own as bytes, every line closed by CRLF; answering machines are asked to keep quiet (RFC 3834). */
export const composeOwnMail = (
  sender: Sender,
  mail: OwnMail,
  at: { readonly now: number; readonly random: Random },
): Promise<Uint8Array> =>
  new MailComposer({
    from: { name: sender.brand, address: ownAddress(sender) },
    to: { name: "", address: mail.to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: new Date(at.now),
    messageId: `<${newId(at.random)}@${sender.maskDomain}>`,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "windows",
  })
    .compile()
    .build();
