/** WebSocket close codes (RFC 6455, section 7.4.1, and the IANA registry). */
export const normalClosure = 1000;
export const policyViolation = 1008;
export const tryAgainLater = 1013;
/** An own code: the other side does not answer any more. */
export const silence = 4000;

const descriptions: Readonly<Record<number, string>> = {
  [normalClosure]: "Normal closure",
  1001: "The server went away, or the page was left",
  1002: "Protocol error",
  1003: "The other side could not read this kind of data",
  1005: "Closed without a code",
  1006: "The connection broke off",
  1007: "A message was malformed",
  [policyViolation]: "Policy violation, likely an authentication failure",
  1009: "A message was too long",
  1010: "An extension was missing",
  1011: "Error in the server",
  1012: "The server restarted",
  [tryAgainLater]: "The server is busy, or too many pages are open",
  1014: "Error of a server in between",
  1015: "The encryption could not be agreed upon",
  [silence]: "The other side went silent",
};

/** Describes a close code for the user (RT11). */
export const describeCloseCode = (code: number): string => descriptions[code] ?? "Unknown reason";
