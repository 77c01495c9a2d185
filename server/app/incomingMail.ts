import type { Decision } from "../../core/rules/engine/decision.ts";
import type { ServerContext } from "../context/serverContext.ts";
import { createMailboxPart } from "../features/mailbox/mailboxPart.ts";
import { createSubmission } from "../features/submission/submission.ts";
import { createSubmissionServers } from "../features/submission/submissionServers.ts";
import { createIsInNetworks, isPublicAddress } from "../platform/dns/networkRanges.ts";
import { isLoopback } from "../platform/ops/networkOf.ts";
import { createBeginContent } from "../platform/spool/arrivingContent.ts";
import { WorkerPool } from "../platform/workers/workerPool.ts";
import { type EvaluationTask, evaluationThreads } from "../relay/evaluate/evaluate.ts";
import { createIntake } from "../relay/receive/intake.ts";
import { createMailReceiver } from "../relay/receive/mailReceiver.ts";
import { createSmtpServer } from "../smtp/smtpServer.ts";
import type { ProcessRelay } from "./createRelayContext.ts";
import type { Features } from "./features.ts";
import { measureSubmission, measureTransactions } from "./mailMetrics/measuredTransactions.ts";
import type { Resources } from "./resources.ts";

/** Creates the servers that take mail: to the masks, and from the programs of users. They do not listen yet. */
export const createIncomingMail = (
  { config, spool, tls, database, clock, log, rates }: Resources,
  context: ServerContext,
  relay: ProcessRelay,
  features: Features,
) => {
  const { maskDomain, publicUrl } = config;
  const { metrics } = relay;
  const isInTrusted = createIsInNetworks(config.trustedNetworks);
  const isTrusted = (address: string): boolean => isLoopback(address) || isInTrusted(address);
  const isBalancer = createIsInNetworks(config.smtpBalancers);
  const threads = new WorkerPool<EvaluationTask, readonly Decision[]>(evaluationThreads);
  const beginTransaction = createMailReceiver({
    relay,
    parts: features.all.flatMap(({ mail }) => mail ?? []),
    findEncryption: context.findEncryption,
    evaluationThreads: threads,
    isUnlimited: (address) => isTrusted(address) || !isPublicAddress(address),
  });
  const beginContent = createBeginContent(spool);
  const measured = measureTransactions(beginTransaction, metrics, "relay");
  const listening = {
    secureContext: tls.secureContext,
    clock,
    log,
    rates,
    beginContent,
    isTrusted,
    isBalancer,
  };
  const smtp = createSmtpServer({
    ...listening,
    name: maskDomain,
    host: config.smtpHost,
    port: config.smtpPort,
    beginTransaction: measured,
    submission: null,
    startsWithTls: false,
    onConnectionRefused: (reply) => metrics.countRefused("relay", "connection", reply),
  });
  const { outgoing } = features.replies;
  const submission = createSubmission({ database, maskDomain, publicUrl, outgoing, clock, log });
  const submissionServers = createSubmissionServers({
    ...listening,
    config,
    submission: measureSubmission(submission, metrics),
    onConnectionRefused: (reply) => metrics.countRefused("submission", "connection", reply),
  });
  const intake = createIntake({ beginTransaction: measured, beginContent, clock, log });
  return {
    smtp,
    submissionServers,
    /** Fetches mail from a mailbox; null without one. */
    mailbox:
      config.mailbox && createMailboxPart({ database, clock, log, intake, maskDomain }, config.mailbox),
    /** Takes mail that a provider has received. */
    intake,
    /** Stops the threads; call it when no transaction is open. */
    stop: async () => {
      await threads.stop();
      await relay.stopJudging();
    },
  };
};
