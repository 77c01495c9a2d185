/** Kinds of failures besides a refusal of the mail. */
type ClientErrorCode = "EDNS" | "ECONNECTION" | "ETIMEDOUT" | "EPROTOCOL" | "ETLS" | "EAUTH" | "EABORTED";

/** A failure of a connection; its message contains no address of a user. */
export class ClientError extends Error {
  readonly code: ClientErrorCode;

  constructor(code: ClientErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns any error of a socket as a `ClientError`. */
export const toClientError = (error: unknown, code: ClientErrorCode = "ECONNECTION"): ClientError => {
  if (error instanceof ClientError) return error;
  const { message, code: reason = "" }: NodeJS.ErrnoException =
    error instanceof Error ? error : new Error(String(error));
  return new ClientError(reason === "ENOTFOUND" || reason === "EAI_AGAIN" ? "EDNS" : code, message);
};
