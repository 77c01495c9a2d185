import { dayMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database } from "../../platform/store/database.ts";
import { notifyOnce } from "../notifications/notificationQueries.ts";
import type { WrittenReply } from "./rewrite/writeReply.ts";

/** Notifies an owner, at most once a day with the same message, and for a refused reply on their devices too. */
export type TellOwner = (
  userId: string,
  message: string,
  about?: { readonly isRefused: true; readonly heldId?: string },
) => Promise<void>;

export interface OwnerNoticeDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  /** Called after a notification was stored. */
  readonly onQueued: () => void;
}

const noticeIntervalMs = dayMs;

const sealedNotice =
  "A reply was sent with a signed or encrypted part, which was left as it is. It may contain your own address.";
const shortenedNotice =
  "A reply was sent without a contact card, a public key, a certificate, a report, or another part that would have said who you are.";

/** Returns what the owner of a sent reply must know. */
export const noticesOf = ({
  isSealed,
  isShortened,
}: Pick<WrittenReply, "isSealed" | "isShortened">): readonly string[] => [
  ...(isSealed ? [sealedNotice] : []),
  ...(isShortened ? [shortenedNotice] : []),
];

export const createTellOwner =
  ({ database, clock, onQueued }: OwnerNoticeDeps): TellOwner =>
  async (userId, message, about) => {
    await database.transaction(async (tx) => {
      const now = clock.now();
      const notification = { userId, type: "warning", priority: "high", message } as const;
      const heldId = about?.heldId === undefined ? {} : { heldId: about.heldId };
      const refused = about === undefined ? {} : { ...heldId, push: "replies" as const };
      await notifyOnce(tx, { ...notification, ...refused }, noticeIntervalMs, now);
    });
    onQueued();
  };
