import { dayMs } from "../../../core/kernel/durations.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import type { ArrivalReason, HeldCopy } from "../../relay/decision/mailDecision.ts";
import type { MailRecord } from "../../relay/mailPart.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import { notifyOnce } from "../notifications/notificationQueries.ts";
import { sealSender } from "../notifications/notificationSender.ts";
import { insertHeldMail } from "./heldQueries.ts";

/** A copy that arrived at a mask and is held instead of sent; its row of the queue is inserted before. */
interface HeldArrival {
  readonly id: string;
  readonly held: HeldCopy;
  readonly route: MailRoute;
  readonly seal: Pick<Seal, "seal">;
}

const causes: Readonly<Record<ArrivalReason, string>> = {
  suspicious: "its sender is suspicious",
  spam: "it is likely spam",
  unknown: "you have not allowed its sender yet",
  rule: "a rule says so",
  off: "the mask is switched off",
};

const hold = async (db: Db, { id, held, route, seal }: HeldArrival, now: number): Promise<void> => {
  const { userId, maskId, maskEmail } = route;
  const { from, subject, recipients, reason } = held;
  await db.updateTable("queue").set({ status: "held" }).where("id", "=", id).execute();
  const mail = { id, userId, maskId, from, subject, recipients, reason, direction: "received" } as const;
  await insertHeldMail(db, seal, mail, now);
  await notifyOnce(
    db,
    {
      userId,
      type: "warning",
      priority: "normal",
      message: `Mail to ${maskEmail} is held, because ${causes[reason]}.`,
      heldId: id,
      ...sealSender(seal, maskId, from?.address),
    },
    dayMs,
    now,
  );
};

/** Creates what holds the copies of decisions that say so, and notifies the owner of each mask once a day. */
export const createHeldRecord = (seal: Pick<Seal, "seal">): MailRecord => ({
  store: async ({ db, now }, mails) => {
    for (const { decided, heldIds } of mails)
      for (const [n, id] of heldIds.entries()) {
        const held = decided.held[n];
        if (held) await hold(db, { id, held, route: decided.route, seal }, now);
      }
  },
});
