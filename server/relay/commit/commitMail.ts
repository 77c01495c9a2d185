import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { FreshMails } from "../../delivery/delivery.ts";
import type { NewLogEntry } from "../../delivery/mailLog/logQueries.ts";
import {
  bytesInMemory,
  copyChunks,
  copySize,
  isInMemory,
  type OutgoingCopy,
} from "../../delivery/outgoingCopy.ts";
import type { BodyRow } from "../../delivery/queue/bodyRows.ts";
import {
  type BodyWriter,
  joinWritten,
  type NewContent,
  type WrittenBodies,
} from "../../delivery/queue/bodyStore.ts";
import { bodiesOf, insertBodies } from "../../delivery/queue/queueBodies.ts";
import { insertQueuedMails, type QueuedMail } from "../../delivery/queue/queueQueries.ts";
import type { HeldArrival, HoldNewMails } from "../../features/held/holdNewMail.ts";
import type { MailOutcome } from "../../features/insights/recentMailQueries.ts";
import { recordLastMails } from "../../features/lastMails/lastMailQueries.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { appendEvents, type NewEvent } from "../../platform/store/events.ts";
import { type GroupCommit, NotStored, type Submit } from "../../platform/store/groupCommit.ts";
import { newQueueId } from "../../platform/store/id.ts";
import { type AnnouncedMail, announceMails } from "../decision/announceMails.ts";
import type { TakeExpiringMails } from "../decision/expiringMails.ts";
import {
  bytesInDecision,
  type CommittedMail,
  type CountMails,
  type MailDecision,
} from "../decision/mailDecision.ts";
import { recordCommitted } from "../decision/receivedLog.ts";
import { takeDailyShares } from "../limits/dailyShare.ts";
import { announceUsage, takeQuotas } from "../limits/monthlyQuota.ts";
import type { CommitRequest, CommitResult } from "./commitRequest.ts";
import { toOutcome } from "./insightCounts.ts";
import { countMasks } from "./maskCounts.ts";
import { recordEffects } from "./recordEffects.ts";

export interface CommitMailDeps {
  readonly database: Database;
  readonly group: GroupCommit;
  readonly clock: Clock;
  readonly random: Random;
  /** Updates the insights in the transaction of the mails. */
  readonly countMails: CountMails;
  /** Receives stored mail to deliver it from memory. */
  readonly fresh: FreshMails;
  /** Takes the content of new mail. */
  readonly bodies: BodyWriter;
  /** Percent of a plan's month that one sender may send in a day. */
  readonly dailyShare: number;
  /** Holds the copies of decisions that say so. */
  readonly holdMails: HoldNewMails;
  /** Encrypts the senders in notifications. */
  readonly seal: Pick<Seal, "seal">;
  readonly takeExpiring: TakeExpiringMails;
}

const notStored = (kind: CommitResult["kind"], result: Partial<CommitResult> = {}) =>
  new NotStored<CommitResult>({
    kind,
    received: new Map(),
    isWaiting: false,
    usedUp: [],
    outcomes: [],
    ...result,
  });

/** A copy to hold, with its row of the queue. */
interface HeldMail {
  readonly queued: QueuedMail;
  readonly arrival: HeldArrival;
}

/** A mail with the rows that store its copies. */
interface PreparedMail extends CommitRequest {
  readonly copies: readonly OutgoingCopy[];
  readonly queued: readonly QueuedMail[];
  /** Copies that are held. */
  readonly held: readonly HeldMail[];
  /** The beginnings of copies that share a body. */
  readonly heads: readonly BodyRow[];
  /** Content that is written with that of other mails. */
  readonly unwritten: readonly NewContent[];
  readonly written: WrittenBodies[];
  /** This process's lease on the copies; null when they wait in the store. */
  readonly lease: string | null;
  /** Bytes of the copies that are reserved in memory. */
  readonly bytes: number;
}

type CopyOwner = Pick<QueuedMail, "userId" | "maskId" | "reportTo" | "logId">;

/**
 * The first copy of a mask reports its failure, so that the sender hears of it once. A report names the mask's
 * current address, which a sender who used an earlier one may not know.
 */
const ownersOf = ({ decisions, reportTo, logEntries }: CommitRequest): readonly CopyOwner[] =>
  decisions.flatMap(({ route: { userId, maskId, isFormerAddress }, copies }, index) =>
    copies.map((_, n) => ({
      userId,
      maskId,
      reportTo: n === 0 && !isFormerAddress ? reportTo : null,
      logId: logEntries[index]?.id ?? null,
    })),
  );

/** Does everything that needs no transaction. */
const prepareMail = async (
  { clock, random, fresh, bodies }: CommitMailDeps,
  request: CommitRequest,
): Promise<PreparedMail> => {
  const { decisions, notice, envelopeSender } = request;
  const owners = ownersOf(request);
  const copies = [...decisions.flatMap((decided) => decided.copies), ...(notice ? [notice] : [])];
  const heldCopies = decisions.flatMap(({ route, held }, index) =>
    held.map((one) => ({ route, logId: request.logEntries[index]?.id ?? null, ...one })),
  );
  const stored = [...copies, ...heldCopies.map(({ copy }) => copy)];
  const now = clock.now();
  const newId = (): string => newQueueId(random, now);
  const { references, rows, contents } = bodiesOf(stored, newId, bodies);
  const written = [await bodies.write(contents.filter((content) => !bodies.sharesWrite(content)))];
  const unwritten = contents.filter(bodies.sharesWrite);
  const toRow = (copy: OutgoingCopy, n: number, owner: CopyOwner | undefined): QueuedMail => ({
    id: newQueueId(random, now, request.mailId),
    userId: owner?.userId ?? null,
    maskId: owner?.maskId ?? null,
    reportTo: owner?.reportTo ?? null,
    logId: owner?.logId ?? null,
    envelopeSender,
    recipient: copy.recipient,
    bodyId: references[n]?.bodyId ?? null,
    bodyHead: references[n]?.bodyHead ?? 0,
    size: copySize(copy),
    attempts: 0,
    createdAt: now,
  });
  const bytes = copies.reduce((sum, copy) => sum + bytesInMemory(copy), 0);
  const isReadable = copies.every(({ body }) => !body || isInMemory(body.content) || bodies.keepsSpoolFiles);
  const lease = isReadable && copies.length > 0 ? fresh.reserve(bytes) : null;
  const attempts = lease === null ? 0 : 1;
  const queued = copies.map((copy, n): QueuedMail => ({ ...toRow(copy, n, owners[n]), attempts }));
  const held = heldCopies.map(({ route, logId, copy, recipients, reason, from, subject }, n): HeldMail => {
    const { userId, maskId, maskEmail } = route;
    const row = toRow(copy, copies.length + n, { userId, maskId, reportTo: null, logId });
    const mail = { id: row.id, userId, maskId, maskEmail, from, subject, recipients };
    return { queued: row, arrival: { ...mail, reason } };
  });
  return { ...request, copies, queued, held, heads: rows, unwritten, written, lease, bytes };
};

/** Writes the content of mails that shares a write, before the rows that refer to it. */
const writeTogether = async (bodies: BodyWriter, mails: readonly PreparedMail[]): Promise<void> => {
  const unwritten = mails.flatMap((mail) => mail.unwritten);
  if (unwritten.length === 0) return;
  const { rows, assertInTime, release } = await bodies.write(unwritten);
  const rowsById = Map.groupBy(rows, ([id]) => id);
  let left = mails.length;
  const releaseAll = (): void => {
    left -= 1;
    if (left === 0) release();
  };
  for (const mail of mails)
    mail.written.push({
      rows: mail.unwritten.flatMap(({ id }) => rowsById.get(id) ?? []),
      assertInTime,
      release: releaseAll,
    });
};

const isForwarded = ({ copies, digest }: MailDecision): boolean => copies.length + digest.length > 0;

/** One event per mask, however many mails it received. */
const eventsOf = (mails: readonly PreparedMail[]): readonly NewEvent[] => {
  const events = new Map<string, NewEvent>();
  for (const { decisions } of mails)
    for (const { route } of decisions) {
      const { userId, maskId: resourceId } = route;
      events.set(resourceId, { userId, resource: "masks", resourceId, action: "updated" });
    }
  return [...events.values()];
};

const insertCopies = async (database: Database, db: Db, mails: readonly PreparedMail[]): Promise<void> => {
  const { rows, assertInTime } = joinWritten(mails.flatMap(({ written }) => written));
  assertInTime();
  await insertBodies(database, db, [...mails.flatMap(({ heads }) => heads), ...rows]);
  await insertQueuedMails(
    database,
    db,
    mails.flatMap(({ queued, held, lease }) => [
      ...queued.map((mail) => ({ ...mail, lease })),
      ...held.map((mail) => ({ ...mail.queued, lease: null })),
    ]),
  );
};

const toAnnounced = (
  { held, content = null }: Pick<PreparedMail, "held" | "content">,
  mail: CommittedMail,
  entry: NewLogEntry | null,
): AnnouncedMail => {
  const { maskId } = mail.decided.route;
  const heldId = held.find(({ arrival }) => arrival.maskId === maskId)?.queued.id ?? null;
  return { mail, logId: entry?.id ?? null, heldId, content };
};

/** Stores mails in one transaction; throws `NotStored` when a limit or a changed mask prevents it. */
const storeMails = async (
  { database, clock, random, countMails, dailyShare, holdMails, seal, takeExpiring }: CommitMailDeps,
  db: Db,
  mails: readonly PreparedMail[],
): Promise<readonly CommitResult[]> => {
  const now = clock.now();
  const quotas = await takeQuotas(database, db, mails);
  if (!quotas.isWithinLimits) throw notStored("limit", { received: quotas.received });
  const usedUp = await takeDailyShares(database, db, mails, { now, percent: dailyShare });
  if (usedUp.length > 0) throw notStored("share", { usedUp });
  const committed: CommittedMail[] = [];
  const outcomes: MailOutcome[][] = [];
  const isWaiting: boolean[] = [];
  const logEntries: (NewLogEntry | null)[] = [];
  const announced: AnnouncedMail[] = [];
  for (const { decisions, envelopeSender, lease, queued, logEntries: entries, ...mail } of mails) {
    let waits = lease === null && queued.length > 0;
    const ofMail: MailOutcome[] = [];
    outcomes.push(ofMail);
    for (const [n, decided] of decisions.entries()) {
      const entry = entries[n] ?? null;
      logEntries.push(entry);
      const context = { now, random, envelopeSender, seal, logId: entry?.id ?? null };
      const effects = await recordEffects(db, decided, context);
      waits ||= effects.isQueued;
      const forwarded = isForwarded(decided) || effects.isSentInstead;
      const one = { decided, forwarded, archived: effects.archived, answered: effects.answered };
      committed.push(one);
      ofMail.push(toOutcome(one));
      announced.push(toAnnounced(mail, one, entry));
    }
    isWaiting.push(waits);
  }
  const month = mails[0]?.month ?? "";
  if (!(await countMasks(database, db, committed, { now, month }))) throw notStored("changed");
  if (!(await takeExpiring(db, committed, now))) throw notStored("changed");
  await insertCopies(database, db, mails);
  const held = mails.flatMap((mail) => mail.held.map(({ arrival }) => arrival));
  if (held.length > 0) await holdMails(db, held, now);
  await countMails(db, committed, now);
  await recordCommitted(database, db, committed, logEntries, now);
  await announceMails(db, seal, announced, now);
  await recordLastMails(
    database,
    db,
    mails.flatMap(({ lastMails }) => lastMails),
  );
  for (const announcement of quotas.announcements) await announceUsage(database, db, announcement, now);
  await appendEvents(database, db, eventsOf(mails), now);
  return mails.map((_, n) => ({
    kind: "queued",
    received: quotas.received,
    isWaiting: isWaiting[n] ?? false,
    usedUp: [],
    outcomes: outcomes[n] ?? [],
  }));
};

/**
 * Creates the commit of received mails. Each mail is stored completely or not at all, with its queue rows,
 * counters, notifications and events (D44). Mails that arrive together share a transaction; one that cannot be
 * stored does not affect the others. Stored mail is delivered from memory, leased to this process by the same
 * commit.
 */
export const createCommitMail = (deps: CommitMailDeps): Submit<CommitRequest, CommitResult> => {
  const { group, fresh, bodies } = deps;
  const submit = group.kind<PreparedMail, CommitResult>((db, mails) => storeMails(deps, db, mails), {
    weightOf: ({ decisions, notice, lastMails }) =>
      decisions.reduce((sum, decided) => sum + bytesInDecision(decided), notice?.head.length ?? 0) +
      lastMails.reduce((sum, { content }) => sum + content.length, 0),
    prepare: (mails) => writeTogether(bodies, mails),
  });

  const deliverFresh = ({ copies, queued }: PreparedMail): void => {
    for (const [n, copy] of copies.entries()) {
      const mail = queued[n];
      if (mail) fresh.add(mail, bytesInMemory(copy), () => copyChunks(copy));
    }
  };

  return async (request) => {
    const mail = await prepareMail(deps, request);
    try {
      const result = await submit(mail);
      if (mail.lease !== null && result.kind === "queued") deliverFresh(mail);
      else if (mail.lease !== null) fresh.cancel(mail.bytes);
      return result;
    } catch (error) {
      if (mail.lease !== null) fresh.cancel(mail.bytes);
      throw error;
    } finally {
      joinWritten(mail.written).release();
    }
  };
};
