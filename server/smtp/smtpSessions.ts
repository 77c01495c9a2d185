import type { SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from "smtp-server";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import { newId } from "../store/id.ts";
import { createConnectionLimit } from "./connectionLimit.ts";
import type { MailEnvelope } from "./receiveMail.ts";
import * as replies from "./replies.ts";
import type { ClosedTransaction, MailParameters, Transaction } from "./transaction.ts";

interface SmtpSessionDeps {
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly log: Log;
  readonly beginTransaction: (parameters: MailParameters) => Transaction;
  /** Receives the content of a mail; resolves with the refusing reply, or with null when the mail is queued. */
  readonly receive: (
    content: SMTPServerDataStream,
    envelope: MailEnvelope,
    transaction: ClosedTransaction,
  ) => Promise<replies.SmtpReply | null>;
}

/** Handlers of smtp-server: one transaction at a time in each session. */
export interface SmtpSessions {
  readonly handlers: SMTPServerOptions;
  /** Ends the transaction of a session, if there is one. */
  readonly endTransaction: (session: SMTPServerSession) => void;
}

/** Used for DATA without an accepted recipient. */
const emptyTransaction: ClosedTransaction = { month: "", recipients: [], postmaster: null, bouncedIds: [] };

export const createSmtpSessions = ({
  clock,
  random,
  log,
  beginTransaction,
  receive,
}: SmtpSessionDeps): SmtpSessions => {
  const connections = createConnectionLimit();
  const transactions = new WeakMap<SMTPServerSession, Transaction>();

  const endTransaction = (session: SMTPServerSession): void => {
    transactions.get(session)?.end();
    transactions.delete(session);
  };

  const toEnvelope = ({ envelope, ...session }: SMTPServerSession): MailEnvelope => ({
    sender: envelope.mailFrom ? envelope.mailFrom.address : "",
    trace: {
      helo: session.hostNameAppearsAs,
      remoteAddress: session.remoteAddress,
      protocol: session.transmissionType,
      smtpUtf8: envelope.smtpUtf8 ?? false,
      id: newId(random),
      receivedAt: clock.now(),
    },
  });

  /** Replies with the result of a command; an exception is logged and answered with a temporary error. */
  const replyWith = (
    work: Promise<replies.SmtpReply | null>,
    answer: (error?: Error | null) => void,
  ): void => {
    work
      .catch((error: unknown) => {
        log.error({ error: errorTrace(error) }, "receiving a mail failed");
        return replies.localError;
      })
      .then((reply) => answer(reply && replies.toSmtpError(reply)));
  };

  return {
    endTransaction,
    handlers: {
      onConnect: (session, answer) =>
        answer(connections.enter(session) ? null : replies.toSmtpError(replies.tooManyConnections)),
      onMailFrom: (address, session, answer) => {
        const declaredSize = address.args ? address.args["SIZE"] : 0;
        endTransaction(session);
        transactions.set(
          session,
          beginTransaction({ size: Number(declaredSize) || 0, isNullSender: address.address === "" }),
        );
        answer();
      },
      onRcptTo: ({ address }, session, answer) => {
        const transaction = transactions.get(session);
        replyWith(transaction ? transaction.add(address) : Promise.resolve(replies.localError), answer);
      },
      onData: (stream, session, answer) => {
        const transaction = transactions.get(session)?.close() ?? emptyTransaction;
        replyWith(receive(stream, toEnvelope(session), transaction), (error) => {
          answer(error, "Queued");
        });
      },
      onClose: (session) => {
        connections.leave(session);
        endTransaction(session);
      },
    },
  };
};
