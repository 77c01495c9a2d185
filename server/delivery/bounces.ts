import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../platform/ops/log.ts";
import type { MailContent } from "../platform/spool/mailContent.ts";
import type { Database, Db } from "../platform/store/database.ts";
import { readBounceReport } from "./bounceReports/bounceReport.ts";
import { recordSteps } from "./mailLog/logQueries.ts";
import type { PrepareStep } from "./mailLog/sealDetail.ts";
import { findLoggedCopy, findMaskAddress, isKnownMail, markBounced } from "./queue/reportedMails.ts";
import { toStorableAnswer } from "./smtpAnswer.ts";

/** Notifies the owner of a mail that a server beyond the next hop did not deliver. */
export type NotifyBounce = (
  db: Db,
  mail: { readonly userId: string | null; readonly maskId: string | null },
  answer: string,
  now: number,
) => Promise<void>;

/** Handles bounces: reports from servers beyond the next hop about mails that they had accepted. */
export interface Bounces {
  /** True if `id` is a mail of ours that can still bounce. */
  readonly expects: (id: string) => Promise<boolean>;
  /**
   * Returns the addresses of the masks whose mails have these ids, for a mail to their return paths that is not
   * understood, and logs it; empty for all others.
   */
  readonly findMasksToTell: (ids: readonly string[], content: MailContent) => Promise<readonly string[]>;
  /** Handles a mail sent to the return path of mail `id`: notifies its owner once when it reports a failure. */
  readonly handle: (id: string, content: MailContent) => Promise<void>;
}

export interface BouncesDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  readonly prepareStep: PrepareStep;
  /** Notifies the owner of a mail that was not delivered, in the transaction that records it. */
  readonly notify: NotifyBounce;
}

export const createBounces = ({ database, clock, log, prepareStep, notify }: BouncesDeps): Bounces => ({
  expects: (id) => isKnownMail(database.db, id),
  findMasksToTell: async (ids, content) => {
    if ((await readBounceReport(content)).kind !== "not-understood") return [];
    const found = await Promise.all(ids.map((id) => findMaskAddress(database.db, id)));
    const addresses = new Set(found.flatMap((address) => address ?? []));
    log.warn({ size: content.size, masks: addresses.size }, "a mail to a return path was not understood");
    return [...addresses];
  },
  handle: async (id, content) => {
    const report = await readBounceReport(content);
    if (report.kind !== "failure") return;
    const answer = toStorableAnswer(report.answer);
    const now = clock.now();
    const logged = await findLoggedCopy(database.db, id);
    const detail = logged ? await prepareStep({ ...logged, isSent: false }, answer) : null;
    await database.transaction(async (db) => {
      const mail = await markBounced(database, db, id, { answer, now });
      if (mail) await notify(db, mail, answer, now);
      if (mail && logged)
        await recordSteps(database, db, [{ ...logged, copyId: id, state: "bounced", detail }], now);
    });
  },
});
