import type { ServerContext } from "../../../context/serverContext.ts";
import { queueSystemMail } from "../../../delivery/systemMail/systemMail.ts";
import {
  type TwoFactorEvent,
  twoFactorMail,
  twoFactorText,
} from "../../../delivery/systemMail/systemMailTexts.ts";
import type { Db } from "../../../platform/store/database.ts";
import { addNotification } from "../../notifications/notificationQueries.ts";

/** The user who is notified. */
export interface NoticeRecipient {
  readonly id: string;
  readonly email: string;
}

export type NotifyTwoFactorDeps = Pick<ServerContext, "clock" | "random" | "sender">;

/** Changes that the user just made have normal priority, which shows no toast. */
const priorityOf = (news: TwoFactorEvent): "normal" | "high" =>
  news === "recovery-code-used" || news === "disabled-by-operator" ? "high" : "normal";

/** Creates the function that notifies a user in the app and by mail, in the transaction of the change. */
export const createNotifyTwoFactor =
  ({ clock, random, sender }: NotifyTwoFactorDeps) =>
  async (db: Db, user: NoticeRecipient, news: TwoFactorEvent): Promise<void> => {
    const now = clock.now();
    await addNotification(
      db,
      { userId: user.id, type: "security", priority: priorityOf(news), message: twoFactorText(news) },
      now,
    );
    await queueSystemMail(db, sender, twoFactorMail(sender, user.email, news), { now, random });
  };

export type NotifyTwoFactor = ReturnType<typeof createNotifyTwoFactor>;
