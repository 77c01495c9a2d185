import { HttpError } from "../http/httpError.ts";
import type { RecordAnswer } from "../http/idempotency.ts";
import { maskNotFound } from "../masks/maskDeps.ts";
import { findMask } from "../masks/maskQueries.ts";
import type { Database } from "../store/database.ts";
import type { ListedSenders, SenderLists } from "./senderLists.ts";

/** The senders that the masks of a user always accept and refuse. */
export interface UserMaskSenders {
  /** Rejects with 404 for a mask that the user does not have. */
  readonly read: (userId: string, maskId: string) => Promise<ListedSenders>;
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
}: {
  readonly database: Database;
  readonly senderLists: SenderLists;
}): UserMaskSenders => ({
  read: async (userId, maskId) => {
    if (!(await findMask(database.db, userId, maskId))) throw maskNotFound();
    return senderLists.read(database.db, { userId, maskId });
  },
  remove: (userId, { maskId, sender }, recordAnswer) =>
    database.transaction(async (db) => {
      if (!(await senderLists.remove(db, { userId, maskId }, sender)))
        throw new HttpError(404, "This sender is on no list of the mask any more.");
      await recordAnswer(db);
    }),
});
