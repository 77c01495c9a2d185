import { dayMs } from "../../../../core/kernel/durations.ts";
import type { Clock } from "../../../../core/ports/clock.ts";
import type { Log } from "../../../platform/ops/log.ts";
import { type MailContent, readBeginning } from "../../../platform/spool/mailContent.ts";
import type { Database, Db } from "../../../platform/store/database.ts";
import { lockUser } from "../../../platform/store/users.ts";
import { recordMaskChange, updateMask } from "../../maskChanges/maskChanges.ts";
import { addNotification } from "../../notifications/notificationQueries.ts";
import {
  addComplaint,
  type ComplainedMail,
  countComplaints,
  countForwarded,
  findForwardedMail,
} from "./complaintQueries.ts";
import { isComplaint, maxFeedbackBytes, parseFeedbackReport } from "./feedbackReport.ts";

/** From this number of complaints in a day on, and this share of the mask's mail, the mask is paused. */
const leastComplaints = 5;
const highestShare = 0.003;

export interface ComplaintsDeps {
  readonly database: Pick<Database, "db" | "transaction">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
  /** Called when an owner was notified. */
  readonly onNotified: () => void;
}

/** Handles what users call spam at their mail providers. */
export interface Complaints {
  /**
   * Handles a mail that may be a report of a feedback loop, sent to the return paths of these mails or to an address for
   * such reports; false when it is none.
   */
  readonly handle: (content: MailContent, returnedIds: readonly string[]) => Promise<boolean>;
}

const percentFormat = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

/** Switches a mask off, whose mail is then held, so that nothing is lost. */
const pauseMask = async (
  db: Db,
  { userId, maskId }: ComplainedMail,
  {
    email,
    complaints,
    forwarded,
  }: { readonly email: string; readonly complaints: number; readonly forwarded: number },
  now: number,
): Promise<void> => {
  await updateMask(db, userId, maskId, { active: 0, when_off: "hold" }, now);
  await recordMaskChange(db, { userId, clientId: null }, "updated", maskId, now);
  const message = `The mask ${email} is switched off and its mail is held: your mail provider says that ${complaints} of ${forwarded} emails to it within a day were marked as spam, more than ${percentFormat.format(highestShare)}. Block the senders that you do not want, then switch it on again.`;
  await addNotification(db, { userId, type: "warning", priority: "high", message }, now);
};

/** Records a complaint, and tells the owner of the mask of the first one of a day, or of the pause that it causes. */
const record = async (db: Db, mail: ComplainedMail, type: string, now: number): Promise<boolean> => {
  const { userId, maskId } = mail;
  await lockUser(db, userId);
  if (!(await addComplaint(db, mail, type, now))) return false;
  const mask = await db
    .selectFrom("masks")
    .where("id", "=", maskId)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .select(["email", "active"])
    .executeTakeFirst();
  if (!mask) return false;
  const { email } = mask;
  const since = now - dayMs;
  const complaints = await countComplaints(db, maskId, since);
  if (mask.active === 1 && complaints >= leastComplaints) {
    const forwarded = Math.max(complaints, await countForwarded(db, maskId, since));
    if (complaints / forwarded > highestShare) {
      await pauseMask(db, mail, { email, complaints, forwarded }, now);
      return true;
    }
  }
  if (complaints > 1) return false;
  const message = `Your mail provider says that an email to ${email} was marked as spam. That harms the delivery of all your masks: block its sender, or switch the mask off, instead.`;
  await addNotification(db, { userId, type: "warning", priority: "normal", message }, now);
  return true;
};

/** Creates the handling of complaints. What names no mail of ours is counted in the log only. */
export const createComplaints = ({ database, clock, log, onNotified }: ComplaintsDeps): Complaints => ({
  handle: async (content, returnedIds) => {
    const report = parseFeedbackReport(await readBeginning(content, maxFeedbackBytes));
    if (!report) return false;
    if (!isComplaint(report)) return true;
    let known = 0;
    for (const id of new Set([...returnedIds, ...report.mailIds])) {
      const mail = await findForwardedMail(database.db, id);
      if (!mail) continue;
      known += 1;
      const isNotified = await database.transaction((db) => record(db, mail, report.type, clock.now()));
      if (isNotified) onNotified();
    }
    log.info({ type: report.type, known }, "a complaint about a mail was read");
    return true;
  },
});
