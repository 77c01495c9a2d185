import { minuteMs } from "../../../core/kernel/durations.ts";
import type { CreateFeature } from "../../context/feature.ts";
import { createIntervalTask } from "../../platform/ops/interval.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { createSendTlsReports, pruneTlsReportCounts } from "./sendTlsReports.ts";

const everyMs = 10 * minuteMs;

/** The reports of TLS that this server sends, where the operator has switched them on. */
export const tlsReportsFeature: CreateFeature = (context) => {
  const { config, clock, log, delivery } = context;
  const prune = { pruneTlsReportCounts };
  if (!config.sendsTlsReports) return { prune };
  const send = createSendTlsReports({ ...context, maskDomain: config.maskDomain, onQueued: delivery.wake });
  const job = createIntervalTask(send, {
    everyMs,
    failureMessage: "sending reports of TLS failed",
    clock,
    log,
  });
  return { prune, jobs: [toPart("TLS reports", job.start)] };
};
