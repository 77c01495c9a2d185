import { sql } from "kysely";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Log } from "../log.ts";
import type { Database, Db } from "../store/database.ts";
import { appendEvent, type ChangeEvent } from "../store/events.ts";
import { type GroupCommit, makeGroupCommit } from "../store/groupCommit.ts";
import { enqueue } from "../store/queue.ts";
import type { Route } from "../store/routes.ts";
import { countForwarded } from "../store/statistics.ts";
import { takeOfMonth } from "../store/usage.ts";
import { announceUsage } from "./usageAnnouncement.ts";

/** A mail that is whole, as it will leave for each of its masks. */
export interface IncomingMail {
  /** The month it counts for. */
  readonly month: string;
  /** Ours, or empty for the null sender. */
  readonly envelopeSender: string;
  /** Each mask once. */
  readonly copies: readonly { readonly route: Route; readonly content: Uint8Array }[];
  /** The copy for the postmaster, who has no month to count it for. */
  readonly notice: { readonly recipient: string; readonly content: Uint8Array } | null;
}

/** What became of a mail: queued whole, or nothing of it was kept. */
export interface Acceptance {
  readonly kind: "queued" | "limit" | "changed" | "failed";
  /** What is known since of the month of its owners: at least so many mails. */
  readonly received: ReadonlyMap<string, number>;
}

const mailsInACommit = 200;
const bytesInACommit = 64 * 1024 * 1024;

interface Moment {
  readonly now: number;
  readonly random: Random;
  /** What is to be told once: by key, so that a burst to one mask is one event. */
  readonly events: Map<string, ChangeEvent>;
}

const nothingKnown: ReadonlyMap<string, number> = new Map();

/** In the order of the users, so that two processes lock their rows in the same order. */
const copiesByUser = ({ copies }: IncomingMail): readonly (readonly [string, IncomingMail["copies"]])[] => {
  const users = [...new Set(copies.map(({ route }) => route.userId))].sort();
  return users.map((userId) => [userId, copies.filter(({ route }) => route.userId === userId)]);
};

const queueMail = async (db: Db, mail: IncomingMail, moment: Moment): Promise<Acceptance> => {
  const { now, random, events } = moment;
  const received = new Map<string, number>();
  const told: ChangeEvent[] = [];
  for (const [userId, copies] of copiesByUser(mail)) {
    const limit = Math.min(...copies.map(({ route }) => route.emailsPerMonth));
    const month = { userId, month: mail.month, limit };
    const usage = await takeOfMonth(db, { ...month, count: copies.length });
    if (!usage) return { kind: "limit", received: new Map([[userId, limit - copies.length + 1]]) };
    received.set(userId, usage.received);
    for (const { route, content } of copies) {
      if (!(await countForwarded(db, route, now))) return { kind: "changed", received: nothingKnown };
      const { maskId, destination: recipient } = route;
      await enqueue(
        db,
        { userId, maskId, envelopeSender: mail.envelopeSender, recipient, content },
        { now, random },
      );
      told.push({ userId, resource: "masks", resourceId: maskId, action: "updated" });
    }
    await announceUsage(db, month, usage, now);
  }
  const { envelopeSender, notice } = mail;
  if (notice) await enqueue(db, { userId: null, maskId: null, envelopeSender, ...notice }, { now, random });
  for (const event of told) events.set(`${event.userId} ${event.resourceId}`, event);
  return { kind: "queued", received };
};

const inSavepoint = async (db: Db, log: Log, work: () => Promise<Acceptance>): Promise<Acceptance> => {
  await sql`savepoint mail`.execute(db);
  const result = await work().catch((error: unknown): Acceptance => {
    log.error({ reason: error instanceof Error ? error.message : "unknown" }, "a mail could not be queued");
    return { kind: "failed", received: nothingKnown };
  });
  if (result.kind !== "queued") await sql`rollback to savepoint mail`.execute(db);
  await sql`release savepoint mail`.execute(db);
  return result;
};

/**
 * Queues mails, each whole or not at all: its queue rows, counters, notifications and events are one with the commit
 * that `submit` waits for (D44). Mails that arrive together share a commit; one that fails does not fail the others.
 */
export const makeAcceptance = (
  database: Database,
  clock: Clock,
  random: Random,
  log: Log,
): GroupCommit<IncomingMail, Acceptance> =>
  makeGroupCommit(
    (mails: readonly IncomingMail[]) =>
      database.transaction(async (db) => {
        const moment: Moment = { now: clock.now(), random, events: new Map() };
        const results: Acceptance[] = [];
        for (const mail of mails) results.push(await inSavepoint(db, log, () => queueMail(db, mail, moment)));
        for (const event of moment.events.values()) await appendEvent(db, event, moment.now);
        return results;
      }),
    {
      items: mailsInACommit,
      weight: bytesInACommit,
      weightOf: ({ copies, notice }) =>
        copies.reduce((sum, { content }) => sum + content.length, notice?.content.length ?? 0),
    },
  );
