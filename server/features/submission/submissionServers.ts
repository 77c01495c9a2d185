import type { SecureContext } from "node:tls";
import type { SubmissionServer } from "../../../core/appPasswords/appPasswordEndpoints.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { startListening } from "../../platform/config/configuredResources.ts";
import type { Part } from "../../platform/ops/lifecycle.ts";
import { errorTrace, type Log } from "../../platform/ops/log.ts";
import type { Rates } from "../../platform/rates/rates.ts";
import type { BeginContent } from "../../platform/spool/mailContent.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import { createSmtpServer } from "../../smtp/smtpServer.ts";
import type { Submission } from "../../smtp/smtpTransaction.ts";

export interface SubmissionServersDeps {
  readonly config: Pick<
    Config,
    "maskDomain" | "smtpHost" | "host" | "submissionPort" | "submissionsPort" | "tls" | "acme"
  >;
  readonly submission: Submission;
  readonly secureContext: () => SecureContext | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly rates: Rates;
  readonly beginContent: BeginContent;
  /** True if connections of an address are not limited by network. */
  readonly isTrusted: (address: string) => boolean;
  /** True if an address is of a balancer, which says by the PROXY protocol who has connected to it. */
  readonly isBalancer: (address: string) => boolean;
  /** Called for a connection that is cut off with a reply. */
  readonly onConnectionRefused: (reply: SmtpReply) => void;
}

/** The servers for the mail programs of users. */
export interface SubmissionServers {
  readonly parts: readonly Part[];
  /** Returns the usual ports of the open listeners, because programs reach others through a firewall or container. */
  readonly address: () => SubmissionServer;
}

interface Listener {
  readonly variable: "SUBMISSION_PORT" | "SUBMISSIONS_PORT";
  /** Null: the usual port, where it can be opened. */
  readonly setting: number | null;
  readonly usual: number;
  readonly startsWithTls: boolean;
}

const startTlsPort = 587;
const tlsPort = 465;

/** Creates the servers on the ports for STARTTLS and for TLS; without a certificate they stay closed. */
export const createSubmissionServers = (deps: SubmissionServersDeps): SubmissionServers => {
  const {
    config,
    submission,
    secureContext,
    clock,
    log,
    rates,
    beginContent,
    isTrusted,
    isBalancer,
    onConnectionRefused,
  } = deps;
  const { maskDomain, smtpHost, tls, acme } = config;
  /** The usual ports. */
  const open = new Set<number>();

  const toPart = ({ variable, setting, usual, startsWithTls }: Listener): Part => {
    const port = setting ?? usual;
    const server = createSmtpServer({
      name: maskDomain,
      host: smtpHost,
      port,
      secureContext,
      clock,
      log,
      rates,
      beginTransaction: null,
      submission,
      startsWithTls,
      beginContent,
      isTrusted,
      isBalancer,
      onConnectionRefused,
    });
    const listen = async (): Promise<void> => {
      await startListening(
        {
          portVariable: variable,
          port,
          hostVariable: smtpHost === config.host ? "HOST" : "SMTP_HOST",
          host: smtpHost,
        },
        server.start,
      );
      open.add(usual);
    };
    return {
      name: variable,
      start: async () => {
        if (port === 0) return;
        if (tls === null && acme === null)
          log[setting === null ? "info" : "warn"](
            { port },
            "the port for mail programs stays closed: there is no certificate (TLS_CERT and TLS_KEY, or ACME)",
          );
        else if (setting !== null) await listen();
        else
          await listen().catch((error: unknown) =>
            log.warn({ port, error: errorTrace(error) }, "the port for mail programs cannot be opened"),
          );
      },
      stop: () => (open.has(usual) ? server.stop() : undefined),
    };
  };

  return {
    parts: [
      toPart({
        variable: "SUBMISSION_PORT",
        setting: config.submissionPort,
        usual: startTlsPort,
        startsWithTls: false,
      }),
      toPart({
        variable: "SUBMISSIONS_PORT",
        setting: config.submissionsPort,
        usual: tlsPort,
        startsWithTls: true,
      }),
    ],
    address: () => ({
      host: maskDomain,
      tlsPort: open.has(tlsPort) ? tlsPort : null,
      startTlsPort: open.has(startTlsPort) ? startTlsPort : null,
    }),
  };
};
