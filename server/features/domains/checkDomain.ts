import type { Domain } from "../../../core/domains/domain.ts";
import { dayMs, hourMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { createIntervalTask, type IntervalTask } from "../../platform/ops/interval.ts";
import type { Db } from "../../platform/store/database.ts";
import { findProvenDomain } from "../../platform/store/provenDomains.ts";
import { lockUser } from "../../platform/store/users.ts";
import { releaseDomainAddresses, trashMasksAt } from "../masks/masksOfDomain.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { findDueDomains, recordDomainChange, updateDomain } from "./domainQueries.ts";
import { type DomainRecordsOptions, type FoundRecords, findRecords } from "./domainRecords.ts";
import type { DomainRow } from "./domainTables.ts";

export interface CheckDomainDeps extends Pick<ServerContext, "database" | "dns" | "clock"> {
  readonly options: DomainRecordsOptions;
}

/** DNS is asked at most this often for one domain. */
const sharedForMs = 5_000;
/** A domain that waits for its proof is checked without being asked: often on the first day, then rarely, then never. */
const firstIntervalMs = 10 * minuteMs;
const laterIntervalMs = 6 * hourMs;
const waitsForMs = 14 * dayMs;

const nextCheckAt = ({ proven_at, created_at }: DomainRow, now: number): number | null => {
  if (proven_at !== null) return now + dayMs;
  if (now - created_at > waitsForMs) return null;
  return now + (now - created_at < dayMs ? firstIntervalMs : laterIntervalMs);
};

const notify = (db: Db, userId: string, message: string, now: number): Promise<number> =>
  addNotification(db, { userId, type: "warning", priority: "high", message }, now);

/** Takes a domain from the account that can no longer prove it, because another one can. */
const takeFrom = async (db: Db, other: DomainRow, now: number): Promise<void> => {
  await lockUser(db, other.user_id);
  const masks = await trashMasksAt(db, { userId: other.user_id, domain: other.name }, now);
  await updateDomain(db, other, { proven_at: null, lapsed_at: null, dkim_published: 0, next_check_at: null });
  await recordDomainChange(db, other.user_id, now);
  const what = masks === 1 ? "Its mask is" : `Its ${masks} masks are`;
  await notify(
    db,
    other.user_id,
    `Another account has proven the domain ${other.name}, and your proof is gone from its DNS. ${what} in Deleted masks.`,
    now,
  );
};

/** Returns the columns of the row that a check of the proof changes. */
const proofChange = async (
  db: Db,
  domain: DomainRow,
  { found, otherProof }: DnsAnswers,
  now: number,
): Promise<Partial<DomainRow> & { readonly found?: string }> => {
  const isProven = found.proof?.state === "ok";
  const answers = { found: JSON.stringify(found) };
  if (domain.kind === "sub" || found.proof?.state === "unknown") return answers;
  if (domain.proven_at !== null) {
    if (isProven) return { ...answers, lapsed_at: null };
    if (domain.lapsed_at !== null) return answers;
    await notify(
      db,
      domain.user_id,
      `The TXT record that proves your domain ${domain.name} is missing. Its masks keep working. Restore the record so that nobody else can take the domain.`,
      now,
    );
    return { ...answers, lapsed_at: now };
  }
  if (!isProven) return answers;
  const other = await findProvenDomain(db, domain.name);
  // Whoever proved it first keeps it while that proof is there, or cannot be checked.
  if (other && (otherProof?.id !== other.id || otherProof.state !== "problem")) {
    const proof = { state: "problem", is: "another account has proven this domain" } as const;
    return { found: JSON.stringify({ ...found, proof }) };
  }
  if (other) await takeFrom(db, other, now);
  await releaseDomainAddresses(db, { userId: domain.user_id, domain: domain.name });
  return { ...answers, proven_at: now, lapsed_at: null };
};

interface DnsAnswers {
  readonly found: FoundRecords;
  /** The proof of another account that has the domain; null without one. */
  readonly otherProof: { readonly id: string; readonly state: Domain["records"][number]["state"] } | null;
}

const askDns = async (
  { database, dns, options }: CheckDomainDeps,
  domain: DomainRow,
): Promise<DnsAnswers> => {
  const found = await findRecords(dns, domain, options);
  const other = await findProvenDomain(database.db, domain.name);
  if (!other || other.id === domain.id) return { found, otherProof: null };
  const { proof } = await findRecords(dns, other, options);
  return { found, otherProof: { id: other.id, state: proof?.state ?? "unknown" } };
};

/** Asks DNS for the records of a domain, unless that was done a moment ago, and stores what has changed. */
export const createCheckDomain =
  (deps: CheckDomainDeps) =>
  async (domain: DomainRow): Promise<void> => {
    const { database, clock } = deps;
    const age = clock.now() - (domain.checked_at ?? 0);
    if (age >= 0 && age < sharedForMs) return;
    const answers = await askDns(deps, domain);
    await database.transaction(async (db) => {
      await lockUser(db, domain.user_id);
      const now = clock.now();
      const current = await updateDomain(db, domain, { checked_at: now });
      if (!current) return;
      const change = await proofChange(db, current, answers, now);
      const changed = await updateDomain(db, current, {
        ...change,
        dkim_published: answers.found.dkim?.state === "ok" ? 1 : 0,
      });
      if (!changed) return;
      await updateDomain(db, changed, { next_check_at: nextCheckAt(changed, now) });
      const isSame = current.found === changed.found && current.lapsed_at === changed.lapsed_at;
      if (!isSame || current.proven_at !== changed.proven_at)
        await recordDomainChange(db, domain.user_id, now);
    });
  };

export type CheckDomain = ReturnType<typeof createCheckDomain>;

const domainsAtOnce = 50;
const everyMs = 5 * minuteMs;

export interface DomainChecksDeps extends Pick<ServerContext, "database" | "clock" | "log"> {
  readonly checkDomain: CheckDomain;
}

/** Creates the task that checks the domains that are due. One that cannot be checked is tried again an hour later. */
export const createDomainChecks = ({ database, clock, log, checkDomain }: DomainChecksDeps): IntervalTask =>
  createIntervalTask(
    async () => {
      const due = await findDueDomains(database.db, clock.now(), domainsAtOnce);
      for (const domain of due) {
        await updateDomain(database.db, domain, { next_check_at: clock.now() + hourMs });
        await checkDomain(domain);
      }
    },
    { everyMs, failureMessage: "checking the domains of users failed", clock, log },
  );
