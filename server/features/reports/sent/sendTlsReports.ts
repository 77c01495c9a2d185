import { dayOf } from "../../../../core/kernel/calendarDay.ts";
import { dayMs, hourMs } from "../../../../core/kernel/durations.ts";
import { type DomainName, isNameOf } from "../../../../core/mail/domainName.ts";
import { isEmailAddress } from "../../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../../core/ports/clock.ts";
import type { Random } from "../../../../core/ports/random.ts";
import { enqueue } from "../../../delivery/queue/queueQueries.ts";
import { errorCode } from "../../../platform/errors/errorCode.ts";
import type { Database, Db } from "../../../platform/store/database.ts";
import { composeTlsReport, type TlsReportCount } from "./tlsReportMail.ts";

export interface SendTlsReportsDeps {
  readonly database: Pick<Database, "db" | "transaction">;
  readonly maskDomain: DomainName;
  readonly dns: { readonly resolveTxt: (name: string) => Promise<string[][]> };
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  /** Called when reports were queued. */
  readonly onQueued: () => void;
}

/** Reports of one round, so that they do not leave all at once. */
const reportsPerRound = 100;
/** Recipients of one report. */
const maxRecipients = 2;
/** After the end of the day, when all processes have stored their counts. */
const afterMs = hourMs;
/** After this time without an answer of DNS there is no report. */
const giveUpMs = 2 * dayMs;

const keptMs = 7 * dayMs;

const absent = new Set(["ENOTFOUND", "ENODATA", "NXDOMAIN"]);

/** Returns the addresses for reports that a record names (RFC 8460, 3); those on the web are left out. */
export const reportRecipients = (texts: readonly string[]): readonly string[] => {
  const records = texts.filter((text) => /^v=TLSRPTv1\s*;/.test(text));
  const [record] = records;
  if (record === undefined || records.length > 1) return [];
  const uris = /;\s*rua\s*=([^;]*)/.exec(record.slice(0, 2_000))?.[1]?.split(",") ?? [];
  return uris
    .map((uri) => /^mailto:([^?]+)/i.exec(uri.trim())?.[1] ?? "")
    .filter(isEmailAddress)
    .slice(0, maxRecipients);
};

/** null while DNS does not answer. */
const findRecipients = async (
  { dns }: SendTlsReportsDeps,
  domain: string,
): Promise<readonly string[] | null> => {
  try {
    return reportRecipients((await dns.resolveTxt(`_smtp._tls.${domain}`)).map((parts) => parts.join("")));
  } catch (error) {
    return absent.has(errorCode(error)) ? [] : null;
  }
};

const readPolicyLines = async (db: Db, domain: string): Promise<readonly string[]> => {
  const row = await db
    .selectFrom("tls_policies")
    .where("domain", "=", domain)
    .select(["mode", "servers", "fetched_at", "expires_at"])
    .executeTakeFirst();
  if (!row) return [];
  const seconds = Math.round((row.expires_at - row.fetched_at) / 1_000);
  const servers = JSON.parse(row.servers) as string[];
  return [
    "version: STSv1",
    `mode: ${row.mode}`,
    ...servers.map((server) => `mx: ${server}`),
    `max_age: ${seconds}`,
  ];
};

/** Takes the counts of a day and domain, so that no other process reports them. */
const takeCounts = (db: Db, day: string, domain: string): Promise<readonly TlsReportCount[]> =>
  db
    .deleteFrom("tls_report_counts")
    .where("day", "=", day)
    .where("domain", "=", domain)
    .returning(["policy", "result", "server", "count"])
    .execute();

const report = async (
  deps: SendTlsReportsDeps,
  { day, domain }: { readonly day: string; readonly domain: string },
): Promise<boolean> => {
  const { database, maskDomain, clock, random } = deps;
  const recipients = isNameOf(domain, maskDomain) ? [] : await findRecipients(deps, domain);
  const now = clock.now();
  if (recipients === null && now < Date.parse(`${day}T00:00:00Z`) + dayMs + giveUpMs) return false;
  return database.transaction(async (db) => {
    const counts = await takeCounts(db, day, domain);
    if (counts.length === 0 || recipients === null || recipients.length === 0) return false;
    const content = { maskDomain, domain, day, counts, policyLines: await readPolicyLines(db, domain) };
    for (const recipient of recipients) {
      const mail = { userId: null, maskId: null, envelopeSender: "", recipient };
      const bytes = await composeTlsReport(content, recipient, { now, random });
      await enqueue(db, { ...mail, content: bytes }, { now, random });
    }
    return true;
  });
};

/** Deletes what was counted and never reported, because reports were switched off. */
export const pruneTlsReportCounts = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("tls_report_counts")
    .where("day", "<", dayOf(now - keptMs))
    .execute();
};

/** Creates the work that reports each finished day to the domains that ask for it; what DNS does not answer waits. */
export const createSendTlsReports = (deps: SendTlsReportsDeps) => async (): Promise<void> => {
  const { database, clock } = deps;
  const today = dayOf(clock.now() - afterMs);
  const due = await database.db
    .selectFrom("tls_report_counts")
    .where("day", "<", today)
    .select(["day", "domain"])
    .distinct()
    .orderBy("day")
    .orderBy("domain")
    .limit(reportsPerRound)
    .execute();
  let queued = 0;
  for (const one of due) if (await report(deps, one)) queued += 1;
  if (queued > 0) deps.onQueued();
};
