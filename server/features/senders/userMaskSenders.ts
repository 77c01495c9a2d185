import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { SenderList } from "../../../core/senders/maskSenders.ts";
import { maxListedSenders } from "../../../core/senders/maskSenders.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Database } from "../../platform/store/database.ts";
import type { EventFeed } from "../../platform/store/eventFeed.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { assertMask, recordSendersChange } from "../maskChanges/maskChanges.ts";
import type { ListedSenders, SenderLists } from "./senderLists.ts";

/** The senders that the masks of a user always accept and refuse. */
export interface UserMaskSenders {
  /** Rejects with 404 for a mask that the user does not have. */
  readonly read: (userId: string, maskId: string) => Promise<ListedSenders>;
  /** Puts a sender on a list and returns the one before; rejects with 404 like `read`, and with 409 when they are full. */
  readonly put: (
    userId: string,
    listed: { readonly maskId: string; readonly sender: string; readonly list: SenderList },
    recordAnswer: RecordAnswer<{ before: SenderList | null }>,
  ) => Promise<{ before: SenderList | null }>;
  /** Rejects with 404 when the sender is on no list of a mask of the user. */
  readonly remove: (
    userId: string,
    listed: { readonly maskId: string; readonly sender: string },
    recordAnswer: RecordAnswer<void>,
  ) => Promise<void>;
}

export const createUserMaskSenders = ({
  database,
  senderLists,
  clock,
  feed,
}: {
  readonly database: Database;
  readonly senderLists: SenderLists;
  readonly clock: Pick<Clock, "now">;
  readonly feed: Pick<EventFeed, "wake">;
}): UserMaskSenders => ({
  read: async (userId, maskId) => {
    await assertMask(database.db, { userId, maskId });
    return senderLists.read(database.db, { userId, maskId });
  },
  put: async (userId, { maskId, sender, list }, recordAnswer) => {
    const mask = { userId, maskId };
    const answer = await database.transaction(async (db) => {
      await assertMask(db, mask);
      const { allow, block } = await senderLists.read(db, mask);
      const isOn = (listed: readonly string[]): boolean => listed.some((one) => isSameMailbox(one, sender));
      const before = isOn(block) ? "block" : isOn(allow) ? "allow" : null;
      if (before === null && allow.length + block.length >= maxListedSenders)
        throw new UseCaseError("conflict", `A mask can list at most ${maxListedSenders} senders`);
      await senderLists.add(db, mask, list, sender, clock.now());
      await recordSendersChange(db, mask, clock.now());
      return recordAnswer(db, { before });
    });
    feed.wake();
    return answer;
  },
  remove: async (userId, { maskId, sender }, recordAnswer) => {
    await database.transaction(async (db) => {
      if (!(await senderLists.remove(db, { userId, maskId }, sender)))
        throw new UseCaseError("missing", "This sender is on no list of the mask any more.");
      await recordSendersChange(db, { userId, maskId }, clock.now());
      await recordAnswer(db);
    });
    feed.wake();
  },
});
