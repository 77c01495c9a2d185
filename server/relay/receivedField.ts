import { isIP } from "node:net";
import { mailDate } from "./mailDate.ts";

/** What a trace line tells of a transaction (RFC 5321, 4.4). */
export interface Arrival {
  /** What the client said in HELO or EHLO; false when it said nothing usable. */
  readonly helo: string | false;
  readonly remoteAddress: string;
  /** "SMTP" or "ESMTP". */
  readonly protocol: string;
  readonly smtpUtf8: boolean;
  readonly id: string;
  readonly at: number;
}

const hostName = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,253}[A-Za-z0-9])?$/;
const addressLiteral = /^\[[A-Za-z0-9.:]{3,50}\]$/;

const heloName = (helo: string | false): string =>
  helo && (hostName.test(helo) || addressLiteral.test(helo)) ? helo : "unknown";

const literal = (address: string): string => (isIP(address) === 6 ? `[IPv6:${address}]` : `[${address}]`);

/** The Received field of a mail that has just come in. It never says for whom. */
export const receivedField = (arrival: Arrival, host: string): string => {
  const protocol = arrival.smtpUtf8 ? "UTF8SMTP" : arrival.protocol;
  return [
    `Received: from ${heloName(arrival.helo)} (${literal(arrival.remoteAddress)})`,
    ` by ${host} with ${protocol} id ${arrival.id};`,
    ` ${mailDate(arrival.at)}`,
    "",
  ].join("\r\n");
};
