import { Counter, Histogram, type Registry } from "@prometheus-io/client";
import { reportProblemNames } from "../../features/reports/received/reportProblem.ts";
import { createLabelledCounter } from "../../platform/metrics/labelledCounter.ts";
import { rspamdWithinMs } from "../../relay/evaluate/rspamd.ts";
import type { RelayMetrics } from "../../relay/relayMetrics.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import { type RefusalReason, reasonOf } from "./refusalReasons.ts";

/** The sender of a connection: another mail server, with mail to masks, or the mail program of a user. */
export type SmtpService = "relay" | "submission";

/** The stage of a dialog at which something is refused. */
export type RefusedAt = "connection" | "login" | "sender" | "recipient" | "content";

/** The metrics of the arriving mail. */
export interface MailMetrics extends RelayMetrics {
  readonly countAccepted: (service: SmtpService) => void;
  readonly countRefused: (service: SmtpService, at: RefusedAt, reply: SmtpReply) => void;
  /** Observes the time from a command, or the end of a mail, to what it is answered. */
  readonly observeReply: (at: RefusedAt, seconds: number) => void;
}

const services: readonly SmtpService[] = ["relay", "submission"];

const countRefusals = (registry: Registry): MailMetrics["countRefused"] => {
  const refusals = new Counter({
    name: "bauta_smtp_refusals_total",
    help: "Refused connections, log-ins, commands and mails by reason.",
    labelNames: ["service", "at", "reason"],
    registers: [registry],
  });
  return (service, at, reply) => {
    const reason: RefusalReason = reasonOf(reply);
    refusals.inc({ service, at, reason });
  };
};

/** Creates what measures arriving mail. */
export const createMailMetrics = (registry: Registry): MailMetrics => {
  const replies = new Histogram({
    name: "bauta_smtp_reply_seconds",
    help: "Time to decide about a command or a whole mail, until it is answered; a mail is on the disk by then.",
    labelNames: ["to"],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
    registers: [registry],
  });
  return {
    countAccepted: createLabelledCounter(registry, {
      name: "bauta_mails_accepted_total",
      help: "Mails that were answered 250: of other servers (relay), and of the mail programs of users (submission).",
      label: "service",
      values: services,
    }),
    countRefused: countRefusals(registry),
    observeReply: (to, seconds) => replies.observe({ to }, seconds),
    countMail: createLabelledCounter(registry, {
      name: "bauta_mask_mails_total",
      help: "Mails at masks by what has become of them; a mail to two masks counts twice.",
      label: "outcome",
      values: ["forwarded", "digest", "held", "archived", "dropped", "blocked"],
    }),
    countReply: createLabelledCounter(registry, {
      name: "bauta_replies_total",
      help: "Mails of users from their masks, to reverse addresses or by a mail program.",
      label: "result",
      values: ["sent", "refused"],
    }),
    countRspamd: createLabelledCounter(registry, {
      name: "bauta_rspamd_checks_total",
      help: `Mails given to rspamd: answered, or not within ${rspamdWithinMs / 1_000} seconds (failed).`,
      label: "result",
      values: ["answered", "failed"],
    }),
    countReport: createLabelledCounter(registry, {
      name: "bauta_receiver_reports_total",
      help: "Reports of receivers about DMARC and TLS that were read, and those that were refused, by reason.",
      label: "result",
      values: ["read", ...reportProblemNames],
    }),
  };
};
