import type { SMTPServerDataStream, SMTPServerOptions, SMTPServerSession } from "smtp-server";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Log } from "../log.ts";
import { newId } from "../store/id.ts";
import { traceOf } from "../trace.ts";
import { makeConnectionCount } from "./connectionCount.ts";
import type { Envelope } from "./intake.ts";
import * as replies from "./replies.ts";
import type { Said, TakenTransaction, Transaction } from "./transaction.ts";

interface SessionParts {
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly log: Log;
  readonly begin: (said: Said) => Transaction;
  /** Takes a mail in, and answers for it; null: it is queued. */
  readonly take: (
    content: SMTPServerDataStream,
    envelope: Envelope,
    transaction: TakenTransaction,
  ) => Promise<replies.SmtpReply | null>;
}

/** What clients say, and what they are answered: one transaction at a time in each session. */
export interface Sessions {
  readonly handlers: SMTPServerOptions;
  /** Ends the transaction of a session, where it has one. */
  readonly endTransaction: (session: SMTPServerSession) => void;
}

/** For DATA without a recipient that was taken. */
const toNobody: TakenTransaction = { month: "", recipients: [], postmaster: null, reportsOf: [] };

export const makeSessions = ({ clock, random, log, begin, take }: SessionParts): Sessions => {
  const connections = makeConnectionCount();
  const transactions = new WeakMap<SMTPServerSession, Transaction>();

  const endTransaction = (session: SMTPServerSession): void => {
    transactions.get(session)?.end();
    transactions.delete(session);
  };

  const envelopeOf = ({ envelope, ...session }: SMTPServerSession): Envelope => ({
    sender: envelope.mailFrom ? envelope.mailFrom.address : "",
    arrival: {
      helo: session.hostNameAppearsAs,
      remoteAddress: session.remoteAddress,
      protocol: session.transmissionType,
      smtpUtf8: envelope.smtpUtf8 ?? false,
      id: newId(random),
      at: clock.now(),
    },
  });

  /** Answers a command with what `work` finds; what it throws is ours, and the client may try again. */
  const answering = (
    work: Promise<replies.SmtpReply | null>,
    answer: (error?: Error | null) => void,
  ): void => {
    work
      .catch((error: unknown) => {
        log.error({ error: traceOf(error) }, "a mail could not be taken");
        return replies.localError;
      })
      .then((reply) => answer(reply && replies.asError(reply)));
  };

  return {
    endTransaction,
    handlers: {
      onConnect: (session, answer) =>
        answer(connections.enter(session) ? null : replies.asError(replies.tooManyConnections)),
      onMailFrom: (address, session, answer) => {
        const declaredSize = address.args ? address.args["SIZE"] : 0;
        endTransaction(session);
        transactions.set(
          session,
          begin({ size: Number(declaredSize) || 0, isNullSender: address.address === "" }),
        );
        answer();
      },
      onRcptTo: ({ address }, session, answer) => {
        const transaction = transactions.get(session);
        answering(transaction ? transaction.add(address) : Promise.resolve(replies.localError), answer);
      },
      onData: (stream, session, answer) => {
        const transaction = transactions.get(session)?.take() ?? toNobody;
        answering(take(stream, envelopeOf(session), transaction), (error) => {
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
