import { minuteMs } from "../../core/kernel/durations.ts";

const mebibyte = 1024 * 1024;

/** Bytes of the largest accepted mail, as SIZE counts them (RFC 1870). */
export const maxMailBytes = 25 * mebibyte;

/** Bytes of mail in files that this host, such as a mail server in front, may have in the spool until it is queued. */
export const spoolBytes = 256 * mebibyte;

/** Bytes of mail that one IPv4 address or IPv6 network may have in the spool until it is queued. */
export const spoolBytesPerNetwork = spoolBytes / 4;

/** RFC 5321, 4.5.3.1.8. */
export const maxRecipientsPerMail = 100;

export const maxConnections = 500;

/** Open connections of an IPv4 address or a /64; those of trusted networks count only for `maxConnections`. */
export const maxConnectionsPerNetwork = 50;

/** Open connections of a /24 of IPv4 or a /56 of IPv6. */
export const maxConnectionsPerWiderNetwork = 150;

/** New connections of an IPv4 address or a /64. */
export const connectionsPerNetwork = { burst: 60, perSecond: 1 };

/** New connections of a /24 of IPv4 or a /56 of IPv6. */
export const connectionsPerWiderNetwork = { burst: 240, perSecond: 4 };

/** The factor by which networks with a history of accepted mail may connect more often. */
export const provenFactor = 4;

/** Permanent refusals before a connection is closed, against guessing of masks. */
export const maxRefusals = 50;

/** The failed log-ins of one network, however many accounts they are for, before no other is tried for the rest of the time. */
export const failedLogins = { failures: 20, withinMs: 15 * minuteMs } as const;

/** Answers in a connection that do not wait although the client may be guessing: anybody has some wrong addresses. */
export const freeGuesses = 3;
/** The time that the answer to the next guess waits; each further one twice as long, up to the longest. */
export const firstGuessDelayMs = 1_000;
export const longestGuessDelayMs = 16_000;

/** RFC 5321 requires 512 bytes and more for each extension's parameters. */
export const maxCommandBytes = 4_096;

/** RFC 5321, 4.5.3.2.7. */
export const idleTimeoutMs = 5 * minuteMs;

/** Time limit for the content of one mail. */
export const dataTimeoutMs = 20 * minuteMs;

/** Time limit until the greeting, and for the TLS handshake. */
export const setUpTimeoutMs = 30_000;

/** Time limit for the header with which a balancer says who has connected. */
export const headerWithinMs = 5_000;

/** The time for which a closed connection stays, so that the client can read the last reply. */
export const lingerMs = 5_000;

/** Closed connections that stay at a time; beyond that the longest closed one is cut off. */
export const maxLingering = maxConnections / 5;

/** The interval at which the time limits of the connections are checked. */
export const timeoutCheckMs = 5_000;

/** Slots of `maxConnections` reserved for networks with a history of accepted mail. */
export const provenConnections = maxConnections / 5;

/** The time for which an idle connection is protected when others need its slot. */
export const minIdleMs = 1_000;

/** The time for which `stop` waits for mails being received. */
export const closeTimeoutMs = 3_000;
