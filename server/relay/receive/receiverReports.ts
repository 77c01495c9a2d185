import { hourMs } from "../../../core/kernel/durations.ts";
import { type DomainName, isWithinDomain, toDomainName } from "../../../core/mail/domainName.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { MasksByMail } from "../../features/domains/masksByMail.ts";
import type { ReadReport } from "../../features/receiverReports/readReport.ts";
import type { ReceiverReport } from "../../features/receiverReports/receiverReport.ts";
import { type ReportProblem, reportProblems } from "../../features/receiverReports/reportProblem.ts";
import { storeReport } from "../../features/receiverReports/reportQueries.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import type { Log } from "../../platform/ops/log.ts";
import type { Database } from "../../platform/store/database.ts";
import type { WorkerPool } from "../../platform/workers/workerPool.ts";
import type { Judge } from "../../proof/judge.ts";
import * as refusals from "../decision/refusals.ts";
import { type SmtpReply, smtpReply } from "../smtp/replies.ts";

/** Reports of all senders in an hour: each of them sends one a day and domain. */
const maxReports = 500;
const windowMs = hourMs;

/** Bytes of a mail with a report, which is compressed. */
export const maxReportMailBytes = 4 * 1024 * 1024;

export interface ReceiverReportsDeps {
  readonly maskDomain: DomainName;
  readonly masksByMail: Pick<MasksByMail, "hasDomain">;
  readonly database: Database;
  readonly judge: Judge;
  readonly pool: WorkerPool<Uint8Array, ReadReport>;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly log: Log;
}

/** Takes the reports of receivers about mail and connections in the name of our domains. */
export interface ReceiverReportsReceiver {
  /** Counts one mail; returns false when there were too many in this hour. */
  readonly admit: () => boolean;
  /** Reads and stores the report of a mail; returns the reply that refuses it, null when it is stored. */
  readonly receive: (mail: RawMail, readAll: () => Promise<Buffer>) => Promise<SmtpReply | null>;
}

const refusalFor = (problem: ReportProblem): SmtpReply => smtpReply(554, "5.6.0", reportProblems[problem]);

/** Creates the receiver of reports. One that cannot be read is refused by a word, and no report stops the server. */
export const createReceiverReports = (deps: ReceiverReportsDeps): ReceiverReportsReceiver => {
  const { maskDomain, masksByMail, database, judge, pool, clock, random, log } = deps;
  let window = { at: clock.now(), admitted: 0 };

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
    log.warn({ problem, ...shown }, "a report of a receiver was refused");
    return refusalFor(problem);
  };

  const store = async (
    report: ReceiverReport,
    sender: { readonly authorDomain: string; readonly isProven: boolean },
  ): Promise<SmtpReply | null> => {
    const result = await storeReport(database, report, sender, { now: clock.now(), random });
    const fields = { kind: report.kind, rows: report.rows.length, isProven: sender.isProven };
    if (result !== "full") {
      log.info({ ...fields, result }, "a report of a receiver was read");
      return null;
    }
    log.warn(fields, "a report of a receiver found no room");
    return refusals.tooManyReports;
  };

  return {
    admit: () => {
      const now = clock.now();
      if (Math.abs(now - window.at) >= windowMs) window = { at: now, admitted: 0 };
      window.admitted += 1;
      return window.admitted <= maxReports;
    },
    receive: async ({ content, envelope }, readAll) => {
      const { head, size } = content;
      if (size > maxReportMailBytes) return refusals.tooLargeForReports;
      const { proof, authorDomain } = await judge({ head, size, readAll }, envelope);
      if (proof === "undecided") return refusals.senderUndecided;
      if (proof === "forged") return refusals.forgedSender;
      const isProven = proof === "proven";
      const owner = isProven ? registrableDomain(authorDomain) : "";
      const result = await read(await readAll(), owner);
      if ("problem" in result) return refuse(result.problem, { size, isProven });
      const { report } = result;
      if (!(await isOurs(report.domain)))
        return refuse("other-domain", { size, isProven, kind: report.kind });
      return store(report, {
        authorDomain: isProven ? registrableDomain(authorDomain) : authorDomain,
        isProven,
      });
    },
  };
};
