import { dayMs } from "../../../core/kernel/durations.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import type { MailDecision } from "../../relay/decision/mailDecision.ts";
import type { MailRecord, StoredEffect } from "../../relay/mailPart.ts";
import { addNotification, notifyOnce } from "./notificationQueries.ts";
import { sealSender } from "./notificationSender.ts";

const sealedCalendarMessage =
  "A signed or encrypted invitation came to a mask and was left as it is: your calendar would answer it from your own address. Answer by mail instead.";

const maxNotificationsPerMail = 20;

const defaultMessage = ({ route, decision }: MailDecision, ruleId: string): string => {
  const rule = decision.applied.find(({ id }) => id === ruleId);
  return `An email has come to ${route.maskEmail}: rule "${rule?.name ?? ruleId}".`;
};

/** True if the owner wants notifications about important mail and this mail is important (SG5). */
const isPrioritized = ({ route, category, block }: MailDecision): boolean =>
  block === null && category === "important" && route.consent?.features.prioritization === true;

/** Creates the rules' notifications (NO1). One without its own text names mask and rule, and nothing of the mail. */
const notifyOwner = async (
  db: Db,
  decided: MailDecision,
  { now, seal }: { readonly now: number; readonly seal: Pick<Seal, "seal"> },
): Promise<void> => {
  const { route, decision } = decided;
  const sender = sealSender(seal, route.maskId, decided.from);
  if (isPrioritized(decided))
    await addNotification(
      db,
      {
        userId: route.userId,
        type: "info",
        priority: "high",
        message: `An important email has come to ${route.maskEmail}.`,
        ...sender,
      },
      now,
    );
  for (const { message, ruleId } of decision.notify.slice(0, maxNotificationsPerMail))
    await addNotification(
      db,
      {
        userId: route.userId,
        type: "info",
        priority: "high",
        message: message || defaultMessage(decided, ruleId),
        ...sender,
      },
      now,
    );
};

const notify = async (
  db: Db,
  decided: MailDecision,
  at: { readonly now: number; readonly seal: Pick<Seal, "seal"> },
): Promise<StoredEffect> => {
  await notifyOwner(db, decided, at);
  const { userId } = decided.route;
  const warning = { userId, type: "warning", priority: "normal", message: sealedCalendarMessage } as const;
  if (decided.calendars === "sealed") await notifyOnce(db, warning, dayMs, at.now);
  return {};
};

const isNotified = (decided: MailDecision): boolean =>
  decided.decision.notify.length > 0 || decided.calendars === "sealed" || isPrioritized(decided);

/** Creates what notifies owners of mails as their rules and settings say, in the transaction of the mails. */
export const createMailNotifications = (seal: Pick<Seal, "seal">): MailRecord => ({
  keep: ({ db, now }, { decided }) => (isNotified(decided) ? notify(db, decided, { now, seal }) : undefined),
});
