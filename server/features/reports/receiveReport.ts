import { type DomainName, isWithinDomain, toDomainName } from "../../../core/mail/domainName.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import type { Log } from "../../platform/ops/log.ts";
import { widerNetworkOf } from "../../platform/ops/networkOf.ts";
import type { Database } from "../../platform/store/database.ts";
import type { WorkerPool } from "../../platform/workers/workerPool.ts";
import type { SenderProof } from "../../proof/evidence.ts";
import type { Judge } from "../../proof/judge.ts";
import * as refusals from "../../relay/decision/refusals.ts";
import type { InstallationShare, InstallationShares } from "../../relay/limits/installationShares.ts";
import type { RelayMetrics } from "../../relay/relayMetrics.ts";
import { type SmtpReply, smtpReply } from "../../smtp/smtpReplies.ts";
import type { ReadReport } from "./received/readReport.ts";
import type { ReceiverReport } from "./received/receiverReport.ts";
import { type ReportProblem, reportProblems } from "./received/reportProblem.ts";
import { storeReport } from "./received/reportQueries.ts";

/** Bytes of a mail with a report, which is compressed. */
export const maxReportMailBytes = 4 * 1024 * 1024;

export const tooLargeForReports = smtpReply(
  552,
  "5.3.4",
  `A mail with a report may not be larger than ${maxReportMailBytes / 1024 ** 2} MB`,
);

/** Reports of receivers, each of which sends one a day and domain, and of feedback loops, counted apart. */
export const reportShare: InstallationShare = {
  network: 200,
  widerNetwork: 400,
  domain: 500,
  proven: 10_000,
  unprovenOfNetwork: 50,
  unproven: 2_000,
};

export interface ReceiverReportsDeps {
  readonly maskDomain: DomainName;
  readonly masksByMail: { readonly hasDomain: (name: DomainName) => Promise<boolean> };
  readonly database: Database;
  readonly judge: Judge;
  readonly pool: WorkerPool<Uint8Array, ReadReport>;
  readonly shares: InstallationShares;
  readonly metrics: Pick<RelayMetrics, "countReport">;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly log: Log;
}

/** Takes the reports of receivers about mail and connections in the name of our domains. */
export interface ReceiverReportsReceiver {
  /** Counts a mail for its network; returns false when there were too many in this hour. */
  readonly admit: (remoteAddress: string | null) => boolean;
  /** Reads and stores the report of a mail; returns the reply that refuses it, null when it is stored. */
  readonly receive: (mail: RawMail, readAll: () => Promise<Buffer>) => Promise<SmtpReply | null>;
}

const refusalOfProof: Partial<Record<SenderProof, SmtpReply>> = {
  undecided: refusals.senderUndecided,
  forged: refusals.forgedSender,
};

/** A report that was not read in time may have waited for others, so it may come again. */
const refusalFor = (problem: ReportProblem): SmtpReply =>
  problem === "too-slow"
    ? smtpReply(451, "4.3.2", reportProblems[problem])
    : smtpReply(554, "5.6.0", reportProblems[problem]);

/** Creates the receiver of reports. One that cannot be read is refused by a word, and no report stops the server. */
export const createReceiverReports = (deps: ReceiverReportsDeps): ReceiverReportsReceiver => {
  const { maskDomain, masksByMail, database, judge, pool, shares, metrics, clock, random, log } = deps;

  const isOurs = async (domain: string): Promise<boolean> => {
    const name = toDomainName(domain);
    if (name === null) return false;
    return isWithinDomain(name, maskDomain) || masksByMail.hasDomain(name);
  };

  const read = async (mail: Buffer, owner: string): Promise<ReadReport> => {
    try {
      return await pool.run(mail, owner);
    } catch {
      return { problem: "too-slow" };
    }
  };

  /** `shown` is what may be in the log: numbers and words of ours. */
  const refuse = (problem: ReportProblem, shown: Readonly<Record<string, unknown>>): SmtpReply => {
    metrics.countReport(problem);
    log.warn({ problem, ...shown }, "a report of a receiver was refused");
    return refusalFor(problem);
  };

  const store = async (
    report: ReceiverReport,
    sender: { readonly authorDomain: string; readonly isProven: boolean },
  ): Promise<void> => {
    const result = await storeReport(database, report, sender, { now: clock.now(), random });
    const fields = { kind: report.kind, rows: report.rows.length, isProven: sender.isProven };
    metrics.countReport("read");
    log.info({ ...fields, result }, "a report of a receiver was read");
  };

  return {
    admit: shares.admit,
    receive: async ({ content, envelope }, readAll) => {
      const { head, size } = content;
      if (size > maxReportMailBytes) return tooLargeForReports;
      const { proof, authorDomain } = await judge({ head, size, readAll }, envelope);
      const refusal = refusalOfProof[proof];
      if (refusal) return refusal;
      const isProven = proof === "proven";
      const provenDomain = isProven ? registrableDomain(authorDomain) : null;
      if (!shares.take(envelope.remoteAddress, provenDomain)) return refusals.reportsBusy;
      const owner = provenDomain ?? widerNetworkOf(envelope.remoteAddress);
      const result = await read(await readAll(), owner);
      if ("problem" in result) return refuse(result.problem, { size, isProven });
      const { report } = result;
      if (!(await isOurs(report.domain)))
        return refuse("other-domain", { size, isProven, kind: report.kind });
      await store(report, { authorDomain: provenDomain ?? authorDomain, isProven });
      return null;
    },
  };
};
