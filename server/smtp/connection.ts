import { SMTPConnection } from "smtp-server/lib/smtp-connection";
import { mostRefusals } from "./limits.ts";
import { type SmtpReply, shuttingDown, tooManyRefusals } from "./replies.ts";

const ownStatus = /^[245]\.\d{1,3}\.\d{1,3} /;

/**
 * A connection as the library makes it, and three things more: an answer that brings its own enhanced status keeps it
 * (the library knows one for each code), a client that is refused too often is let go, and the end of each
 * transaction is told.
 */
export class RelayConnection extends SMTPConnection {
  #refusals = 0;
  /** Told whenever the transaction under way is over: RSET, EHLO, after DATA. */
  onTransactionEnd: () => void = () => {};

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    super.send(code, data, typeof data === "string" && ownStatus.test(data) ? false : context);
    if (code >= 500) this.#refusals += 1;
    if (this.#refusals >= mostRefusals && !this._closing) this.refuse(tooManyRefusals);
  }

  override _resetSession(): void {
    super._resetSession();
    this.onTransactionEnd();
  }

  /** Answers and hangs up. */
  refuse({ code, status, text }: SmtpReply): void {
    super.send(code, `${status} ${text}`, false);
    this.close();
  }

  /** Hangs up unless a command or a mail is under way. */
  closeIfIdle(): void {
    if (!this._handlerPending && !this._dataStream) this.refuse(shuttingDown);
  }
}
