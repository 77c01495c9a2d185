import type { Parameters } from "./commandLine.ts";
import { maxMailBytes } from "./smtpLimits.ts";
import { type Refused, refused, type SmtpReply, smtpReply, tooLarge } from "./smtpReplies.ts";

/** The parsed parameters of MAIL. */
export interface MailOptions {
  readonly kind: "options";
  /** Bytes from SIZE; 0 when missing. */
  readonly size: number;
  readonly smtpUtf8: boolean;
}

export const badSender = smtpReply(501, "5.1.7", "Bad sender address syntax");
export const badRecipient = smtpReply(501, "5.1.3", "Bad recipient address syntax");
const badSize = smtpReply(501, "5.5.4", "SIZE needs a number");
const badBody = smtpReply(501, "5.5.4", "BODY is 7BIT or 8BITMIME");
const badUtf8 = smtpReply(501, "5.5.4", "SMTPUTF8 takes no value");
const unknownParameter = smtpReply(555, "5.5.4", "Parameter not recognized");

const refusalOf = (name: string, value: string | null): SmtpReply | null => {
  switch (name) {
    case "SIZE":
      if (value === null || !/^\d{1,20}$/.test(value)) return badSize;
      return Number(value) > maxMailBytes ? tooLarge : null;
    case "BODY":
      return value !== null && /^(?:7BIT|8BITMIME)$/i.test(value) ? null : badBody;
    case "SMTPUTF8":
      return value === null ? null : badUtf8;
    default:
      return unknownParameter;
  }
};

const noOptions: MailOptions = { kind: "options", size: 0, smtpUtf8: false };

/** Reads the parameters of MAIL, or returns the reply that refuses them; AUTH is ignored where there are logins. */
export const readMailOptions = (parameters: Parameters, hasLogins: boolean): MailOptions | Refused => {
  if (parameters.size === 0) return noOptions;
  for (const [name, value] of parameters) {
    if (name === "AUTH" && hasLogins) continue;
    const refusal = refusalOf(name, value);
    if (refusal) return refused(refusal);
  }
  return { kind: "options", size: Number(parameters.get("SIZE") ?? 0), smtpUtf8: parameters.has("SMTPUTF8") };
};

/** Returns the reply that refuses parameters of RCPT, because no offered extension has any; null without. */
export const recipientRefusal = (parameters: Parameters): SmtpReply | null =>
  parameters.size === 0 ? null : unknownParameter;
