import type { WorkerPoolOptions } from "../../../platform/workers/workerPool.ts";
import { readDmarcReport } from "./dmarcReport.ts";
import type { ReceiverReport } from "./receiverReport.ts";
import { decodeReport, unpackReport } from "./reportAttachment.ts";
import { type ReportProblem, UnreadableReport } from "./reportProblem.ts";
import { readTlsReport } from "./tlsReport.ts";

/** A report, or why there is none. */
export type ReadReport = { readonly report: ReceiverReport } | { readonly problem: ReportProblem };

/** Strangers' files are unpacked in a thread of their own, with limits of time and memory. */
export const reportThreads: WorkerPoolOptions = {
  module: new URL("./reportThread.ts", import.meta.url),
  maxThreads: 1,
  idleThreads: 0,
  timeLimitMs: 15_000,
  memoryLimitMb: 256,
};

/** Reads the report that a mail brings: DMARC when it is XML, TLS when it is JSON. */
export const readReport = (mail: Buffer): ReadReport => {
  try {
    const content = decodeReport(unpackReport(mail)).trimStart();
    return { report: content.startsWith("{") ? readTlsReport(content) : readDmarcReport(content) };
  } catch (error) {
    if (error instanceof UnreadableReport) return { problem: error.problem };
    throw error;
  }
};
