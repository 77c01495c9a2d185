import { minuteMs } from "../../../core/kernel/durations.ts";
import type { CreateFeature, FeatureContext } from "../../context/feature.ts";
import { createBounces } from "../../delivery/bounces.ts";
import { createIntervalTask } from "../../platform/ops/interval.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import type { WorkerPool } from "../../platform/workers/workerPool.ts";
import { createInstallationShares } from "../../relay/limits/installationShares.ts";
import type { RecipientKind } from "../../relay/receive/recipientKind.ts";
import { notifyBounce } from "../notifications/failureNotice.ts";
import { pruneComplaints } from "./complaints/complaintQueries.ts";
import { createComplaints } from "./complaints/complaints.ts";
import { createFeedbackRecipients } from "./feedbackRecipients.ts";
import { type ReadReport, reportThreads } from "./received/readReport.ts";
import { pruneReports } from "./received/reportQueries.ts";
import { createReceiverReports, reportShare } from "./receiveReport.ts";
import { createReportRecipients } from "./reportRecipients.ts";
import { createReturnPaths } from "./returnPaths.ts";
import { createSendTlsReports, pruneTlsReportCounts } from "./sent/sendTlsReports.ts";

const tlsReportsEachMs = 10 * minuteMs;

const createRecipients = (
  context: FeatureContext,
  threads: WorkerPool<Uint8Array, ReadReport>,
): readonly RecipientKind[] => {
  const { relay, database, clock, log, masks, masksByMail, config } = context;
  const reports = createReportRecipients(
    createReceiverReports({
      ...relay,
      maskDomain: config.maskDomain,
      masksByMail,
      pool: threads,
      shares: createInstallationShares(relay, "reports of receivers", reportShare),
    }),
  );
  const returnPaths = createReturnPaths({
    bounces: createBounces({ ...relay, notify: notifyBounce }),
    findMask: masks.findMask,
    masks: masks.recipients,
  });
  const feedback = createFeedbackRecipients({
    admit: createInstallationShares(relay, "reports of feedback loops", reportShare).admit,
    handle: createComplaints({ database, clock, log, onNotified: () => relay.onQueued(false) }).handle,
    reports,
    postmaster: relay.postmaster,
    returnPaths,
  });
  return [reports, feedback, returnPaths];
};

/**
 * What other servers report: of mail and TLS, which the operator's page shows, and what users call spam at their mail
 * providers. This server reports TLS to others where the operator has switched that on.
 */
export const reportsFeature: CreateFeature = (context) => {
  const { config, clock, log, delivery, relay } = context;
  const threads = relay.openThreads<Uint8Array, ReadReport>(reportThreads);
  const send = createSendTlsReports({ ...context, maskDomain: config.maskDomain, onQueued: delivery.wake });
  const job = createIntervalTask(send, {
    everyMs: tlsReportsEachMs,
    failureMessage: "sending reports of TLS failed",
    clock,
    log,
  });
  return {
    mail: { recipients: createRecipients(context, threads) },
    jobs: [
      toPart("threads of reports", () => threads.stop),
      ...(config.sendsTlsReports ? [toPart("TLS reports", job.start)] : []),
    ],
    prune: { pruneReceiverReports: pruneReports, pruneComplaints, pruneTlsReportCounts },
  };
};
