import type { Random } from "../../core/ports/random.ts";
import { ownAddress, type Sender } from "../mailing/ownMail.ts";
import { displayName } from "../relay/displayName.ts";
import { mailDate } from "../relay/mailDate.ts";
import { newId } from "../store/id.ts";

const mails = (count: number): string => (count === 1 ? "1 mail" : `${count} mails`);

/** Mails collected for one address as one, each attached as it would have arrived (RFC 2046, 5.2.1). */
export const digestMail = (
  { brand, maskDomain }: Pick<Sender, "brand" | "maskDomain">,
  recipient: string,
  collected: readonly Uint8Array[],
  at: { readonly now: number; readonly random: Random },
): Buffer => {
  const [id, boundary] = [newId(at.random), `=_${newId(at.random)}`];
  const count = mails(collected.length);
  const head = [
    `From: ${displayName(brand)} <${ownAddress({ brand, maskDomain, publicUrl: "" })}>`,
    `To: <${recipient}>`,
    `Subject: ${count} to your masks in the last hour`,
    `Date: ${mailDate(at.now)}`,
    `Message-ID: <${id}@${maskDomain}>`,
    "Auto-Submitted: auto-generated",
    "X-Auto-Response-Suppress: All",
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "Content-Transfer-Encoding: 8bit",
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    `${count} ${collected.length === 1 ? "has" : "have"} come to your masks, by a rule of yours once an hour.`,
    `${collected.length === 1 ? "It is" : "They are"} attached.`,
    "",
  ].join("\r\n");
  const attached = collected.flatMap((content, n) => [
    Buffer.from(
      [
        `--${boundary}`,
        "Content-Type: message/rfc822",
        "Content-Transfer-Encoding: 8bit",
        `Content-Disposition: attachment; filename="mail-${n + 1}.eml"`,
        "",
        "",
      ].join("\r\n"),
    ),
    content,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([Buffer.from(head), ...attached, Buffer.from(`--${boundary}--\r\n`)]);
};
