import { dayMs } from "../../../core/kernel/durations.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import type { ArrivalReason } from "../../relay/decision/mailDecision.ts";
import { addNotification, wasNotifiedSince } from "../notifications/notificationQueries.ts";
import { sealSender } from "../notifications/notificationSender.ts";
import { insertHeldMail, type NewHeldMail } from "./heldQueries.ts";

/** A mail that arrived at a mask and is held instead of sent; its row of the queue is inserted before. */
export interface HeldArrival extends Omit<NewHeldMail, "direction" | "maskId" | "reason"> {
  readonly maskId: string;
  readonly reason: ArrivalReason;
  readonly maskEmail: string;
}

const causes: Readonly<Record<ArrivalReason, string>> = {
  suspicious: "its sender is suspicious",
  spam: "it is likely spam",
  unknown: "you have not allowed its sender yet",
  rule: "a rule says so",
  off: "the mask is switched off",
};

/** Holds mails in the transaction that stores them, and notifies the owner of each mask once a day. */
export type HoldNewMails = (db: Db, mails: readonly HeldArrival[], now: number) => Promise<void>;

export const createHoldNewMails =
  (seal: Pick<Seal, "seal">): HoldNewMails =>
  async (db, mails, now) => {
    for (const { maskEmail, ...mail } of mails) {
      const { id, userId, reason } = mail;
      await db.updateTable("queue").set({ status: "held" }).where("id", "=", id).execute();
      await insertHeldMail(db, seal, { ...mail, direction: "received" }, now);
      const message = `Mail to ${maskEmail} is held, because ${causes[reason]}.`;
      if (!(await wasNotifiedSince(db, userId, message, now - dayMs)))
        await addNotification(
          db,
          {
            userId,
            type: "warning",
            priority: "normal",
            message,
            heldId: id,
            ...sealSender(seal, mail.maskId, mail.from?.address),
          },
          now,
        );
    }
  };
