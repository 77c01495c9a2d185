import { appendEvents, type NewEvent } from "../../platform/store/events.ts";
import type { CommittedMail } from "../../relay/decision/mailDecision.ts";
import type { MailRecord } from "../../relay/mailPart.ts";
import type { NoticeNoRoom } from "../notifications/noRoomNotice.ts";
import type { SenderLists } from "../senders/senderLists.ts";
import { createTakeExpiringMails } from "./expiringMails.ts";
import { countMasks } from "./maskCounts.ts";
import { recordTag } from "./maskStatistics.ts";

/** One event per mask, however many mails it received. */
const eventsOf = (mails: readonly CommittedMail[]): readonly NewEvent[] => {
  const events = new Map<string, NewEvent>();
  for (const { decided } of mails) {
    const { userId, maskId: resourceId } = decided.route;
    events.set(resourceId, { userId, resource: "masks", resourceId, action: "updated" });
  }
  return [...events.values()];
};

/** Creates what counts mails at their masks, in the transaction that stores them. */
export const createMaskRecord = (
  senderLists: Pick<SenderLists, "lockTo">,
  noRoom: NoticeNoRoom,
): MailRecord => {
  const takeExpiring = createTakeExpiringMails(senderLists);
  return {
    noRoom,
    claim: async ({ database, db, now, month }, mails) =>
      (await countMasks(database, db, mails, { now, month })) && (await takeExpiring(db, mails, now)),
    store: async ({ database, db, now }, mails) => {
      for (const { decided } of mails) await recordTag(db, decided.route);
      await appendEvents(database, db, eventsOf(mails), now);
    },
  };
};
