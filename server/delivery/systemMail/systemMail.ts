import MailComposer from "nodemailer/lib/mail-composer";
import type { DomainName } from "../../../core/mail/domainName.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { enqueue } from "../queue/queueQueries.ts";
import { systemMailAddress } from "../serviceAddresses.ts";
import { countSystemMail, monthOf } from "../usageQueries.ts";

/** Sender of system mail: brand, mask domain and address of the app. */
export interface SystemMailSender {
  readonly brand: string;
  readonly maskDomain: DomainName;
  readonly publicUrl: string;
}

export interface SystemMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Composes a system mail with CRLF line endings that asks other systems not to answer automatically (RFC 3834). */
export const composeSystemMail = (
  sender: SystemMailSender,
  mail: SystemMail,
  at: { readonly now: number; readonly random: Random },
): Promise<Uint8Array> =>
  new MailComposer({
    from: { name: sender.brand, address: systemMailAddress(sender.maskDomain) },
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

/** Queues a composed system mail in the caller's transaction and counts it for a recipient with an account (D11). */
export const queueComposedMail = async (
  db: Db,
  { maskDomain }: SystemMailSender,
  { to, content }: { readonly to: string; readonly content: Uint8Array },
  at: { readonly now: number; readonly random: Random },
): Promise<void> => {
  const envelopeSender = systemMailAddress(maskDomain);
  await enqueue(db, { userId: null, maskId: null, envelopeSender, recipient: to, content }, at);
  await countSystemMail(db, { recipientKey: mailboxKey(to), month: monthOf(at.now) });
};

/** Composes a system mail and returns the function that queues it in a transaction. Wake the delivery after the commit. */
export const prepareSystemMail = async (
  sender: SystemMailSender,
  mail: SystemMail,
  at: { readonly now: number; readonly random: Random },
): Promise<(db: Db) => Promise<void>> => {
  const content = await composeSystemMail(sender, mail, at);
  return (db) => queueComposedMail(db, sender, { to: mail.to, content }, at);
};

/** Composes a system mail and queues it in the caller's transaction. */
export const queueSystemMail = async (
  db: Db,
  sender: SystemMailSender,
  mail: SystemMail,
  at: { readonly now: number; readonly random: Random },
): Promise<void> => (await prepareSystemMail(sender, mail, at))(db);
