import {
  bytesOnTheWay,
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
import {
  isFull,
  type KeptLimits,
  readKeptCounts,
  takeRoom,
  type WantedMail,
} from "../../delivery/queue/keptBytes.ts";
import { bodiesOf, insertBodies } from "../../delivery/queue/queueBodies.ts";
import { enqueue, insertQueuedMails, type QueuedMail } from "../../delivery/queue/queueQueries.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { NotStored, type Submit } from "../../platform/store/groupCommit.ts";
import { newQueueId } from "../../platform/store/id.ts";
import { claimAutomaticAnswer } from "../decision/automaticAnswerQueries.ts";
import {
  type AutoReply,
  bytesInDecision,
  type CommittedMail,
  type MailDecision,
  toOutcome,
} from "../decision/mailDecision.ts";
import { takeDailyShares } from "../limits/dailyShare.ts";
import { type KeptRoom, limitsOfWaiting } from "../limits/keptRoom.ts";
import { takeQuotas } from "../limits/monthlyQuota.ts";
import { recordCommitted } from "../log/receivedLog.ts";
import type { MailCommit, MailRecord, StoredDecision } from "../mailPart.ts";
import type { MailRoute } from "../mailRoute.ts";
import type { RelayContext } from "../relayContext.ts";
import type { CommitRequest, CommitResult } from "./commitRequest.ts";

/** Sends the automatic reply unless its sender got one recently; returns whether it is sent. */
const sendAutoReply = async (
  { db, now, random }: MailCommit,
  { userId, maskId }: MailRoute,
  { senderHash, recipient, content }: AutoReply,
): Promise<boolean> => {
  if (!(await claimAutomaticAnswer(db, { userId, maskId, senderHash }, now))) return false;
  await enqueue(db, { userId, maskId, envelopeSender: "", recipient, content }, { now, random });
  return true;
};

export interface CommitMailDeps
  extends Pick<RelayContext, "database" | "group" | "clock" | "random" | "fresh" | "bodies"> {
  /** Percent of a plan's month that one sender may send in a day. */
  readonly dailyShare: number;
  /** Limits what is kept of the mails. */
  readonly keptRoom: Pick<KeptRoom, "limitsOf">;
  /** Stores what features keep of the mails, in the transaction that queues them. */
  readonly records: readonly MailRecord[];
}

const notStored = (kind: CommitResult["kind"], result: Partial<CommitResult> = {}) =>
  new NotStored<CommitResult>({
    kind,
    received: new Map(),
    isWaiting: false,
    usedUp: [],
    full: [],
    outcomes: [],
    ...result,
  });

/** The row of the queue of a copy that is held. */
interface HeldRow {
  /** The place of its decision in the request. */
  readonly decision: number;
  readonly queued: QueuedMail;
}

/** A copy to keep: for its owner, or until its recipient's server takes it. */
interface KeptCopy extends WantedMail {
  readonly isForOwner: boolean;
}

/** A mail with the rows that store its copies. */
interface PreparedMail extends CommitRequest {
  readonly copies: readonly OutgoingCopy[];
  readonly queued: readonly QueuedMail[];
  /** Copies that are held. */
  readonly held: readonly HeldRow[];
  /** The beginnings of copies that share a body. */
  readonly heads: readonly BodyRow[];
  /** Content that is written with that of other mails. */
  readonly unwritten: readonly NewContent[];
  readonly written: WrittenBodies[];
  /** This process's lease on the copies; null when they wait in the store. */
  readonly lease: string | null;
  /** Bytes of the copies that are reserved for their first attempt. */
  readonly bytes: number;
  /** The copies that are kept of it, with their limits. */
  readonly wanted: readonly KeptCopy[];
  /** The limits of each account, by user. */
  readonly keptLimits: ReadonlyMap<string, KeptLimits>;
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

/** Returns the limits of each account. */
const findLimits = async (
  { keptRoom }: Pick<CommitMailDeps, "keptRoom">,
  decisions: readonly MailDecision[],
): Promise<ReadonlyMap<string, KeptLimits>> =>
  new Map(
    await Promise.all(
      decisions.map(async ({ route }) => [route.userId, await keptRoom.limitsOf(route)] as const),
    ),
  );

/** Returns what is kept of a mail but for the archive, which takes its room when it is written. */
const wantedOf = (
  { decisions, network }: CommitRequest,
  limits: ReadonlyMap<string, KeptLimits>,
  isWaiting: boolean,
): readonly KeptCopy[] =>
  decisions.flatMap(({ route: { userId }, held, digest, copies }) => {
    const ofUser = limits.get(userId);
    if (!ofUser) return [];
    const kept = [...held.map(({ copy }) => copySize(copy)), ...digest.map(({ content }) => content.length)];
    const sent = isWaiting ? copies.map(copySize) : [];
    return [
      ...kept.map((bytes) => ({ userId, network, bytes, limits: ofUser, isForOwner: true })),
      ...sent.map((bytes) => ({
        ...{ userId, network, bytes, limits: limitsOfWaiting(ofUser) },
        isForOwner: false,
      })),
    ];
  });

/** Returns the users without room for what would be kept for them, before anything of it is written. */
const findFull = async (
  { database }: Pick<CommitMailDeps, "database">,
  request: CommitRequest,
  limits: ReadonlyMap<string, KeptLimits>,
): Promise<readonly string[]> => {
  const full: string[] = [];
  for (const mail of wantedOf(request, limits, false))
    if (isFull(await readKeptCounts(database, mail), mail.limits, mail.bytes)) full.push(mail.userId);
  return full;
};

/** Does everything that needs no transaction. */
const prepareMail = async (
  deps: CommitMailDeps,
  request: CommitRequest,
  keptLimits: ReadonlyMap<string, KeptLimits>,
): Promise<PreparedMail> => {
  const { clock, random, fresh, bodies } = deps;
  const { decisions, notice, envelopeSender } = request;
  const owners = ownersOf(request);
  const copies = [...decisions.flatMap((decided) => decided.copies), ...(notice ? [notice] : [])];
  const heldCopies = decisions.flatMap(({ route, held }, decision) =>
    held.map(({ copy }) => ({ route, decision, copy })),
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
    network: owner?.userId ? request.network : null,
    isCounted: false,
    createdAt: now,
  });
  const bytes = copies.reduce((sum, copy) => sum + bytesOnTheWay(copy), 0);
  const isReadable = copies.every(({ body }) => !body || isInMemory(body.content) || bodies.keepsSpoolFiles);
  const lease = isReadable && copies.length > 0 ? fresh.reserve(bytes) : null;
  const attempts = lease === null ? 0 : 1;
  const isWaiting = lease === null && copies.length > 0;
  const wanted = wantedOf(request, keptLimits, isWaiting);
  const queued = copies.map((copy, n): QueuedMail => {
    const row = toRow(copy, n, owners[n]);
    return { ...row, attempts, isCounted: isWaiting && row.userId !== null };
  });
  const held = heldCopies.map(({ route, decision, copy }, n): HeldRow => {
    const { userId, maskId } = route;
    const owner = { userId, maskId, reportTo: null, logId: request.logEntries[decision]?.id ?? null };
    return { decision, queued: { ...toRow(copy, copies.length + n, owner), isCounted: true } };
  });
  const rowsOfMail = { copies, queued, held, heads: rows, unwritten, written, lease, bytes };
  return { ...request, ...rowsOfMail, wanted, keptLimits };
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
      // Other mails share what was written; the sweep removes it when it is of no use.
      discard: () => {},
      release: releaseAll,
    });
};

/** The effects of a decision besides the copies in the queue. */
interface Effects {
  readonly archived: boolean;
  readonly isSentInstead: boolean;
  readonly answered: boolean;
}

const isForwarded = ({ copies, digest }: MailDecision): boolean => copies.length + digest.length > 0;

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

/** Counts what is kept of mails; throws `NotStored` when an account has no room for it. */
const takeKeptRoom = async (database: Database, db: Db, mails: readonly PreparedMail[]): Promise<void> => {
  const wanted = mails.flatMap((mail) => mail.wanted);
  const refused = await takeRoom(database, db, wanted);
  if (refused.length === 0) return;
  const full = refused.map(({ userId }) => userId);
  throw notStored(refused.some(({ isForOwner }) => isForOwner) ? "full" : "waiting", { full });
};

/** Records one decision before its mask counts it: what features keep instead of the queue, and an automatic answer. */
const recordDecision = async (
  { records }: Pick<CommitMailDeps, "records">,
  commit: MailCommit,
  mail: StoredDecision,
): Promise<Effects> => {
  let archived = false;
  let isSentInstead = false;
  for (const record of records) {
    const keeping = record.keep?.(commit, mail);
    if (!keeping) continue;
    const effect = await keeping;
    archived ||= effect.archived ?? false;
    isSentInstead ||= effect.isSentInstead ?? false;
  }
  const { autoReply, route } = mail.decided;
  const answered = autoReply ? await sendAutoReply(commit, route, autoReply) : false;
  return { archived, isSentInstead, answered };
};

/** A mail whose decisions are recorded. */
interface RecordedMail {
  readonly committed: readonly CommittedMail[];
  /** True if a copy waits in the store. */
  readonly isWaiting: boolean;
}

const recordMail = async (
  deps: CommitMailDeps,
  commit: MailCommit,
  mail: PreparedMail,
): Promise<RecordedMail> => {
  const { decisions, envelopeSender, lease, queued, network, keptLimits } = mail;
  const committed: CommittedMail[] = [];
  let isWaiting = lease === null && queued.length > 0;
  for (const [n, decided] of decisions.entries()) {
    const logId = mail.logEntries[n]?.id ?? null;
    const limits = keptLimits.get(decided.route.userId) ?? null;
    const stored = { decided, envelopeSender, logId, network, limits };
    const { archived, answered, isSentInstead } = await recordDecision(deps, commit, stored);
    isWaiting ||= answered || isSentInstead;
    committed.push({
      decided,
      forwarded: isForwarded(decided) || isSentInstead,
      archived,
      answered,
      logId,
      heldIds: mail.held.filter(({ decision }) => decision === n).map(({ queued: { id } }) => id),
      network,
    });
  }
  return { committed, isWaiting };
};

/** Stores mails in one transaction; throws `NotStored` when a limit or a changed mask prevents it. */
const storeMails = async (
  deps: CommitMailDeps,
  db: Db,
  mails: readonly PreparedMail[],
): Promise<readonly CommitResult[]> => {
  const { database, clock, random, dailyShare, records } = deps;
  const now = clock.now();
  const quotas = await takeQuotas(database, db, mails);
  if (!quotas.isWithinLimits) throw notStored("limit", { received: quotas.received });
  const usedUp = await takeDailyShares(database, db, mails, { now, percent: dailyShare });
  if (usedUp.length > 0) throw notStored("share", { usedUp });
  await takeKeptRoom(database, db, mails);
  const month = mails[0]?.month ?? "";
  const commit = { database, db, now, random, month, reached: quotas.reached };
  const recorded: RecordedMail[] = [];
  for (const mail of mails) recorded.push(await recordMail(deps, commit, mail));
  const committed = recorded.flatMap((mail) => mail.committed);
  for (const record of records)
    if (record.claim && !(await record.claim(commit, committed))) throw notStored("changed");
  await insertCopies(database, db, mails);
  const entries = mails.flatMap(({ decisions, logEntries }) =>
    decisions.map((_, n) => logEntries[n] ?? null),
  );
  await recordCommitted(database, db, committed, entries, now);
  for (const [at, record] of records.entries()) {
    if (!record.store) continue;
    const prepared = record.prepare
      ? mails.flatMap((mail) => mail.decisions.map(() => mail.prepared[at]))
      : [];
    await record.store(commit, committed, prepared);
  }
  for (const mail of mails) await mail.inCommit?.(db);
  return recorded.map((mail) => ({
    kind: "queued",
    received: quotas.received,
    isWaiting: mail.isWaiting,
    usedUp: [],
    full: [],
    outcomes: mail.committed.map(toOutcome),
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
    weightOf: ({ decisions, notice, preparedBytes }) =>
      decisions.reduce((sum, decided) => sum + bytesInDecision(decided), notice?.head.length ?? 0) +
      preparedBytes,
    prepare: (mails) => writeTogether(bodies, mails),
  });

  const deliverFresh = ({ copies, queued }: PreparedMail): void => {
    for (const [n, copy] of copies.entries()) {
      const mail = queued[n];
      if (mail) fresh.add(mail, bytesOnTheWay(copy), () => copyChunks(copy));
    }
  };

  return async (request) => {
    const keptLimits = await findLimits(deps, request.decisions);
    const full = await findFull(deps, request, keptLimits);
    if (full.length > 0) return notStored("full", { full }).result;
    const mail = await prepareMail(deps, request, keptLimits);
    try {
      const result = await submit(mail);
      if (result.kind !== "queued") joinWritten(mail.written).discard();
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
