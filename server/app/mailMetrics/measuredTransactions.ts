import { performance } from "node:perf_hooks";
import { replyToError, type SmtpReply } from "../../smtp/smtpReplies.ts";
import type { BeginTransaction, SmtpTransaction, Submission } from "../../smtp/smtpTransaction.ts";
import type { MailMetrics, RefusedAt, SmtpService } from "./mailMetrics.ts";

type Metrics = Pick<MailMetrics, "countAccepted" | "countRefused" | "observeReply">;

const secondMs = 1_000;

const measure = (transaction: SmtpTransaction, metrics: Metrics, service: SmtpService): SmtpTransaction => {
  const record = (at: RefusedAt, began: number, reply: SmtpReply | null): void => {
    metrics.observeReply(at, (performance.now() - began) / secondMs);
    if (reply) metrics.countRefused(service, at, reply);
    else if (at === "content") metrics.countAccepted(service);
  };
  const settle = async (
    at: RefusedAt,
    began: number,
    answer: Promise<SmtpReply | null>,
  ): Promise<SmtpReply | null> => {
    try {
      const reply = await answer;
      record(at, began, reply);
      return reply;
    } catch (error) {
      record(at, began, replyToError(error));
      throw error;
    }
  };
  const { onSender, onContentRefused } = transaction;
  return {
    ...(onSender && { onSender: () => settle("sender", performance.now(), onSender()) }),
    onRecipient: (address) => {
      const began = performance.now();
      const answer = transaction.onRecipient(address);
      if (answer instanceof Promise) return settle("recipient", began, answer);
      record("recipient", began, answer);
      return answer;
    },
    onMail: (mail) => settle("content", performance.now(), transaction.onMail(mail)),
    onContentRefused: (reply) => {
      metrics.countRefused(service, "content", reply);
      onContentRefused?.(reply);
    },
    end: transaction.end,
  };
};

/** Measures the transactions of a service: what is accepted, what is refused why, and how long each answer takes. */
export const measureTransactions =
  (begin: BeginTransaction, metrics: Metrics, service: SmtpService): BeginTransaction =>
  (parameters) =>
    measure(begin(parameters), metrics, service);

/** Measures the log-ins of mail programs and the transactions that follow. */
export const measureSubmission = ({ authenticate }: Submission, metrics: Metrics): Submission => ({
  authenticate: async (login, remoteAddress) => {
    const began = performance.now();
    const result = await authenticate(login, remoteAddress);
    metrics.observeReply("login", (performance.now() - began) / secondMs);
    if (typeof result === "function") return measureTransactions(result, metrics, "submission");
    metrics.countRefused("submission", "login", result);
    return result;
  },
});
