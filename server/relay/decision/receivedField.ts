import { isIP } from "node:net";
import { countMaskPasses } from "../../delivery/maskField.ts";
import type { HeaderBlock } from "../../mime/headerBlock.ts";
import { formatMailDate } from "../../mime/headerText.ts";
import type { Envelope } from "../../mime/rawMail.ts";

const hostName = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,253}[A-Za-z0-9])?$/;
const addressLiteral = /^\[[A-Za-z0-9.:]{3,50}\]$/;

const heloName = (helo: string | false): string =>
  helo && (hostName.test(helo) || addressLiteral.test(helo)) ? helo : "unknown";

const addressLiteralOf = (address: string): string =>
  isIP(address) === 6 ? `[IPv6:${address}]` : `[${address}]`;

/** Returns the Received field of a new mail with this id. It never contains the recipient. */
export const receivedField = (trace: Envelope, id: string, host: string): string => {
  const { helo, remoteAddress } = trace;
  const protocol = trace.smtpUtf8 ? "UTF8SMTP" : trace.protocol;
  return [
    // Without a client, as where mail comes from another system than SMTP (RFC 5321, 3.7.2).
    remoteAddress === null
      ? "Received:"
      : `Received: from ${heloName(helo)} (${addressLiteralOf(remoteAddress)})`,
    ` by ${host} with ${protocol} id ${id};`,
    ` ${formatMailDate(trace.receivedAt)}`,
    "",
  ].join("\r\n");
};

const maxHops = 100;
const maxMaskPasses = 2;

/**
 * True if a mail loops: it has passed two masks here, or has more Received fields than mail that arrives somewhere (RFC 5321,
 * 6.3).
 */
export const isLooping = (header: HeaderBlock): boolean =>
  header.fields.filter(({ name }) => name === "received").length > maxHops ||
  countMaskPasses(header) >= maxMaskPasses;
