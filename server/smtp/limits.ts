import { hourMs, minuteMs } from "../../core/kernel/durations.ts";

const mebibyte = 1024 * 1024;

/** The largest mail taken, in bytes as SIZE counts them (RFC 1870). */
export const largestMail = 25 * mebibyte;

/** What one mail may become when it is copied for each of its masks. */
export const largestCopies = 4 * largestMail;

/** What all connections together may hold in memory before it is in the queue. */
export const spoolCapacity = 256 * mebibyte;

/** How much of that mails may take that are arriving from one address, or network of IPv6. */
export const spoolShare = spoolCapacity / 4;
/** RFC 5321, 4.5.3.1.8. */
export const mostRecipients = 100;

export const mostConnections = 500;

/** From one address; machines on this host are counted by `mostConnections` alone. */
export const mostConnectionsFromOneAddress = 50;

/** Permanent refusals in one connection before it is closed: nobody lists masks by trying. */
export const mostRefusals = 50;

/** To the postmaster, of all senders together, in `postmasterWithinMs`. */
export const mostPostmasterMails = 30;
export const postmasterWithinMs = hourMs;

/** The largest mail to the postmaster, who pays for it with nothing but disk. */
export const largestPostmasterMail = mebibyte;

/** Octets in one command line; RFC 5321 asks for 512 and more for each extension's parameters. */
export const longestCommand = 4_096;

/** RFC 5321, 4.5.3.2.7. */
export const idleTimeoutMs = 5 * minuteMs;

/** A mail that is still not whole after this long is not waited for. */
export const dataTimeoutMs = 20 * minuteMs;

/** How long a stop waits for mails under way. */
export const closeTimeoutMs = 3_000;
