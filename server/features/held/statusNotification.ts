import { heldDays } from "../../../core/held/heldMail.ts";
import { giveUpAfterDays } from "../../../core/mail/retrySchedule.ts";
import type { Random } from "../../../core/ports/random.ts";
import { postmasterAddress } from "../../delivery/serviceAddresses.ts";
import { smtpCodes } from "../../delivery/smtpAnswer.ts";
import { formatMailDate } from "../../mime/headerText.ts";
import { newId } from "../../platform/store/id.ts";
import type { HeldReason } from "./heldTables.ts";

/** A received mail that could not be delivered. */
export interface Undelivered {
  readonly mask: string;
  readonly reason: HeldReason;
  /** The next hop's last response. */
  readonly answer: string;
  /** The time at which the mail arrived, in milliseconds since 1970. */
  readonly arrivedAt: number;
  /** The header as its sender wrote it. */
  readonly original: Buffer;
}

/** Codes about the mail itself (RFC 3463); others would say something about the owner's mailbox. */
const codesAboutMail = /\b5\.(?:6\.\d{1,3}|7\.\d{1,3}|3\.4|2\.3)\b/;

const statusOf = ({ reason, answer }: Undelivered): string =>
  reason === "expired" ? "4.4.7" : (codesAboutMail.exec(smtpCodes(answer))?.[0] ?? "5.0.0");

const explanationOf = ({ mask, reason }: Undelivered): string =>
  [
    `Your mail to ${mask} could not be delivered.`,
    reason === "expired"
      ? `It was tried for ${giveUpAfterDays} days.`
      : "The server behind this address refused it and gave no temporary reason.",
    "",
    `It is kept for ${heldDays} days, in which its recipient may still get it.`,
    "This report is sent once; there will be no other about this mail.",
    "",
  ].join("\r\n");

const maxOriginalBytes = 32 * 1024;

/** Complete lines only. */
const limitHeader = (original: Buffer): Buffer => {
  if (original.length <= maxOriginalBytes) return original;
  const end = original.lastIndexOf("\r\n", maxOriginalBytes);
  return original.subarray(0, end === -1 ? 0 : end + 2);
};

/**
 * Composes a delivery status notification (RFC 3464) for the sender of a mail. It names the mask, and nothing
 * that the next hop said about the address behind it.
 */
export const composeStatusNotification = (
  undelivered: Undelivered,
  to: string,
  at: { readonly maskDomain: string; readonly now: number; readonly random: Random },
): Buffer => {
  const { mask, arrivedAt, original } = undelivered;
  const { maskDomain, now, random } = at;
  const boundary = `=_${newId(random)}`;
  const head = [
    `From: "Mail delivery" <${postmasterAddress(maskDomain)}>`,
    `To: <${to}>`,
    `Subject: Your mail to ${mask} could not be delivered`,
    `Date: ${formatMailDate(now)}`,
    `Message-ID: <${newId(random)}@${maskDomain}>`,
    "Auto-Submitted: auto-replied",
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=delivery-status;`,
    ` boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    explanationOf(undelivered),
    `--${boundary}`,
    "Content-Type: message/delivery-status",
    "",
    `Reporting-MTA: dns; ${maskDomain}`,
    `Arrival-Date: ${formatMailDate(arrivedAt)}`,
    "",
    `Final-Recipient: rfc822; ${mask}`,
    "Action: failed",
    `Status: ${statusOf(undelivered)}`,
    "",
    `--${boundary}`,
    "Content-Type: text/rfc822-headers",
    "Content-Transfer-Encoding: 8bit",
    "",
    "",
  ].join("\r\n");
  return Buffer.concat([Buffer.from(head), limitHeader(original), Buffer.from(`\r\n--${boundary}--\r\n`)]);
};
