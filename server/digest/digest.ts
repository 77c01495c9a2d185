import { hourMs } from "../../core/kernel/durations.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Log } from "../log.ts";
import type { Sender } from "../mailing/ownMail.ts";
import { makeRounds, type Rounds } from "../rounds.ts";
import type { Database } from "../store/database.ts";
import { type DueDigest, dueDigests, takeDigest } from "../store/digest.ts";
import { enqueue } from "../store/queue.ts";
import { digestMail } from "./digestMail.ts";

export interface DigestParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly sender: Pick<Sender, "brand" | "maskDomain">;
  /** Told after mails were queued: wake the delivery. */
  readonly queued: () => void;
}

const lookEachMs = 60_000;

/** What fits into a mail that any server takes; an hour with more becomes several. */
const most = { mails: 200, bytes: 15 * 1024 * 1024 };

/**
 * Sends, once an hour has ended, what rules have collected in it: one mail for each address. It is taken from those
 * that wait and queued in one transaction, so that no mail is lost or sent twice, whoever stops when and however many
 * processes look.
 */
export const makeDigest = (parts: DigestParts): Rounds => {
  const { database, clock, random, log, sender, queued } = parts;

  /** False when nothing of it waits any more. */
  const sendOne = (due: DueDigest, before: number): Promise<boolean> =>
    database.transaction(async (db) => {
      const collected = await takeDigest(db, due, before, most);
      if (collected.length === 0) return false;
      const { userId, recipient } = due;
      const at = { now: clock.now(), random };
      const content = digestMail(sender, recipient, collected, at);
      const envelopeSender = `bounces@${sender.maskDomain}`;
      await enqueue(db, { userId, maskId: null, envelopeSender, recipient, content }, at);
      return true;
    });

  const sendAll = async (): Promise<void> => {
    const before = Math.floor(clock.now() / hourMs) * hourMs;
    for (const due of await dueDigests(database.db, before)) {
      while (await sendOne(due, before)) queued();
    }
  };

  return makeRounds(sendAll, {
    everyMs: lookEachMs,
    failed: "the hourly mails could not be queued",
    clock,
    log,
  });
};
