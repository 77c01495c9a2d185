import type { Passage } from "../relay/passage.ts";
import type { Db } from "../store/database.ts";
import { addNotification } from "../store/notifications.ts";

/** However many rules want to tell of one mail. */
const mostOfOneMail = 20;

const usual = ({ route, decision }: Passage, ruleId: string): string => {
  const rule = decision.applied.find(({ id }) => id === ruleId);
  return `A mail has come to ${route.maskEmail}: rule "${rule?.name ?? ruleId}".`;
};

/** Whether the owner wants to hear of mail that is important, and this is (SG5). */
const isPrioritised = ({ route, category, block }: Passage): boolean =>
  block === null && category === "important" && route.consent?.features.prioritization === true;

/**
 * Tells the owner what rules wanted to be told, so that it shows at once (NO1). Without words of theirs it names the
 * mask and the rule, and nothing of the mail.
 */
export const notifyOwner = async (db: Db, passage: Passage, now: number): Promise<void> => {
  const { route, decision } = passage;
  if (isPrioritised(passage))
    await addNotification(
      db,
      {
        userId: route.userId,
        type: "info",
        priority: "high",
        message: `An important mail has come to ${route.maskEmail}.`,
      },
      now,
    );
  for (const { message, ruleId } of decision.notify.slice(0, mostOfOneMail))
    await addNotification(
      db,
      { userId: route.userId, type: "info", priority: "high", message: message || usual(passage, ruleId) },
      now,
    );
};
