/** Kinds of failures besides a refusal of the mail. */
type ClientErrorCode = "EDNS" | "ECONNECTION" | "ETIMEDOUT" | "EPROTOCOL" | "ETLS" | "EAUTH" | "EABORTED";

/** The reason when a server offers no STARTTLS. */
export const noStartTls = "NO_STARTTLS";

/** The reason when a server takes no mail at all (RFC 5321, 3.1; RFC 7504). */
const noService = "NO_SERVICE";

/** A failure of a connection; its message contains no address of a user. */
export class ClientError extends Error {
  readonly code: ClientErrorCode;
  /** The code of OpenSSL or Node; empty without one. */
  readonly reason: string;

  constructor(code: ClientErrorCode, message: string, reason = "") {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** Returns any error of a socket as a `ClientError`. */
export const toClientError = (error: unknown, code: ClientErrorCode = "ECONNECTION"): ClientError => {
  if (error instanceof ClientError) return error;
  const { message, code: reason = "" }: NodeJS.ErrnoException =
    error instanceof Error ? error : new Error(String(error));
  return new ClientError(reason === "ENOTFOUND" || reason === "EAI_AGAIN" ? "EDNS" : code, message, reason);
};

const noServiceCodes = new Set([521, 554]);

/** Returns the failure when a server greets with a refusal. */
export const greetingError = ({
  code,
  text,
}: {
  readonly code: number;
  readonly text: string;
}): ClientError =>
  new ClientError("EPROTOCOL", `the server greets with: ${text}`, noServiceCodes.has(code) ? noService : "");

/** True if a server has said that it takes no mail. */
export const takesNoMail = ({ reason }: ClientError): boolean => reason === noService;
