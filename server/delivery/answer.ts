import type { Outcome } from "./departure.ts";

const longestAnswer = 200;

/** A next hop's answer as it may be kept: one line, without anything that looks like an address. */
export const answerOf = (response: string): string =>
  response
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/[^\s<>,;:()"']+@[^\s<>,;:()"']+/g, "[address]")
    .trim()
    .slice(0, longestAnswer);

/** The codes of an answer alone: "550 5.1.1"; empty where it is no answer of SMTP. */
export const codesOf = (answer: string): string =>
  /^[245]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3})?(?![\d.])/.exec(answer)?.[0].replace("-", " ") ?? "";

/** What a log may say of an answer: a server's own words may quote the mail. */
export const loggedAnswer = (answer: string): string => codesOf(answer) || answer;

interface SendError {
  readonly code?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
  readonly message?: unknown;
}

/** These are about the envelope or the mail; all others are about the connection, and say nothing of the mail. */
const aboutTheMail = new Set(["EENVELOPE", "EMESSAGE"]);

/** Permanent in form, but cured by the operator (credentials) or by a new connection (503). */
const notTheMailsFault = new Set([503, 530, 534, 535, 538]);

/**
 * What an error of nodemailer means for the mail. Permanent is only what the next hop answered with 5yz to the envelope
 * or the content, or what can never be sent to it; everything else is tried again.
 */
export const outcomeOf = (error: unknown): Outcome => {
  const { code, response, responseCode, message } = (error instanceof Error ? error : {}) as SendError;
  const refused = aboutTheMail.has(String(code));
  const answer = answerOf(String((refused && response) || (code ? `${code}: ${message}` : "unknown error")));
  const final =
    typeof responseCode !== "number" || (responseCode >= 500 && !notTheMailsFault.has(responseCode));
  return { kind: refused && final ? "permanent" : "temporary", answer };
};
