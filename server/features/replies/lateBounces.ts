import { domainOf } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { type ReportedFailure, readBounceReport } from "../../delivery/bounceReports/bounceReport.ts";
import { type NewLogStep, recordSteps } from "../../delivery/mailLog/logQueries.ts";
import type { PrepareStep } from "../../delivery/mailLog/sealDetail.ts";
import { toStorableAnswer } from "../../delivery/smtpAnswer.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import type { KeyedHash } from "../../platform/ops/keyedHash.ts";
import type { MailContent } from "../../platform/spool/mailContent.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { recordFailedReply } from "../correspondents/replyPauses.ts";
import { findSentCopy } from "./sentMessageIds.ts";

/** A mask that a report has arrived at. */
interface ReportedMask {
  readonly userId: string;
  readonly maskId: string;
  readonly maskEmail: string;
}

/** A delivered reply, and the step that its owner's log gets; `step` is null when it is not logged. */
interface FailedReply {
  readonly id: string;
  readonly userId: string;
  readonly recipient: string;
  readonly step: NewLogStep | null;
}

/** Marks a reply as failed; false when it is not delivered any more. */
const markFailed = async (db: Db, { id }: FailedReply, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("queue")
    .set({ status: "failed", finished_at: now })
    .where("id", "=", id)
    .where("status", "=", "delivered")
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/**
 * Counts replies that a server accepted and reports as undeliverable later, for the pause of an account whose replies
 * fail too often. The report itself goes to the owner like any mail to the mask. Each delivered reply counts once at
 * most, only for an address that it went to, and only when the report returns its Message-ID, which nobody but its
 * recipients knows; and all reports about one domain count once a day, so that they do not pause an account either.
 */
export type CountLateBounces = (content: MailContent, masks: readonly ReportedMask[]) => Promise<void>;

export interface LateBouncesDeps {
  readonly database: Database;
  readonly hash: KeyedHash;
  readonly clock: Pick<Clock, "now">;
  readonly prepareStep: PrepareStep;
}

export const createCountLateBounces = ({
  database,
  hash,
  clock,
  prepareStep,
}: LateBouncesDeps): CountLateBounces => {
  /** Returns the reply of a mask that a report names, with its step; null when there is none. */
  const prepare = async (
    mask: ReportedMask,
    recipient: string,
    { messageIds, answer }: Pick<ReportedFailure, "messageIds" | "answer">,
  ): Promise<FailedReply | null> => {
    const reply = await findSentCopy(database.db, { ...mask, recipient, messageIds });
    if (!reply) return null;
    const { id, entryId } = reply;
    const { userId } = mask;
    if (entryId === null) return { id, userId, recipient, step: null };
    const detail = await prepareStep({ userId, recipient: reply.recipient, isSent: true }, answer);
    return { id, userId, recipient, step: { entryId, userId, copyId: id, state: "bounced", detail } };
  };

  const record = async (db: Db, reply: FailedReply, now: number): Promise<void> => {
    if (!(await markFailed(db, reply, now))) return;
    const { userId, recipient } = reply;
    // Whoever reads a domain's mail can report all of it, whether or not it has failed.
    await recordFailedReply(db, hash, { userId, correspondent: registrableDomain(domainOf(recipient)) }, now);
    await recordSteps(database, db, reply.step ? [reply.step] : [], now);
  };

  return async (content, masks) => {
    const report = masks.length === 0 ? null : await readBounceReport(content);
    if (report?.kind !== "failure" || report.messageIds.length === 0) return;
    const answer = toStorableAnswer(report.answer);
    const failed: FailedReply[] = [];
    for (const mask of masks)
      for (const recipient of report.recipients) {
        const reply = await prepare(mask, recipient, { ...report, answer });
        if (reply) failed.push(reply);
      }
    const now = clock.now();
    await database.transaction(async (db) => {
      for (const reply of failed) await record(db, reply, now);
    });
  };
};
