import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { composeOwnMail, type Sender } from "../mailing/ownMail.ts";
import { queueOwnMail } from "../mailing/queueOwnMail.ts";
import { newsText, type TwoFactorNews, twoFactorMail } from "../mailing/twoFactorMail.ts";
import type { Db } from "../store/database.ts";
import { addNotification } from "../store/notifications.ts";

export interface NoticeParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly sender: Sender;
}

/** Who is told. */
export interface Reader {
  readonly id: string;
  readonly email: string;
}

/** What the user has just done on the page needs no toast beside it. */
const priorityOf = (news: TwoFactorNews): "normal" | "high" =>
  news === "recovery-code-used" ? "high" : "normal";

/** Makes what tells a user, on the page and by mail, in the transaction of what happened. */
export const makeNotice =
  ({ clock, random, sender }: NoticeParts) =>
  async (db: Db, user: Reader, news: TwoFactorNews): Promise<void> => {
    const now = clock.now();
    const content = await composeOwnMail(sender, twoFactorMail(sender, user.email, news), { now, random });
    await addNotification(
      db,
      { userId: user.id, type: "security", priority: priorityOf(news), message: newsText(news) },
      now,
    );
    await queueOwnMail(db, sender, { recipient: user.email, content }, { now, random });
  };

export type Notice = ReturnType<typeof makeNotice>;
