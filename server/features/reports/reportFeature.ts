import { minuteMs } from "../../../core/kernel/durations.ts";
import type { CreateFeature } from "../../context/feature.ts";
import { createIntervalTask } from "../../platform/ops/interval.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { pruneComplaints } from "./complaints/complaintQueries.ts";
import { pruneReports } from "./received/reportQueries.ts";
import { createSendTlsReports, pruneTlsReportCounts } from "./sent/sendTlsReports.ts";

const tlsReportsEachMs = 10 * minuteMs;

/**
 * What other servers report: of mail and TLS, which the operator's page shows, and what users call spam at their mail
 * providers. The relay takes these reports. This server reports TLS to others where the operator has switched that on.
 */
export const reportsFeature: CreateFeature = (context) => {
  const { config, clock, log, delivery } = context;
  const prune = { pruneReceiverReports: pruneReports, pruneComplaints, pruneTlsReportCounts };
  if (!config.sendsTlsReports) return { prune };
  const send = createSendTlsReports({ ...context, maskDomain: config.maskDomain, onQueued: delivery.wake });
  const job = createIntervalTask(send, {
    everyMs: tlsReportsEachMs,
    failureMessage: "sending reports of TLS failed",
    clock,
    log,
  });
  return { prune, jobs: [toPart("TLS reports", job.start)] };
};
