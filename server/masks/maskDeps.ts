import type { SendersEdit } from "../../core/masks/maskSenders.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { SystemMailSender } from "../delivery/systemMail.ts";
import type { AuthContext } from "../http/authContext.ts";
import { HttpError } from "../http/httpError.ts";
import type { KeyedHash } from "../session/keyedHash.ts";
import type { Database, Db } from "../store/database.ts";
import { appendEvent, type EventFeed } from "../store/events.ts";
import { updateMask } from "./maskQueries.ts";
import type { SenderLists } from "./senderLists.ts";

/** The dependencies of the masks' use cases. */
export interface MaskDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hash: KeyedHash;
  readonly senderLists: SenderLists;
  readonly sender: SystemMailSender;
  readonly feed: Pick<EventFeed, "wake">;
  readonly delivery: Pick<Delivery, "wake">;
  /** Loads the engine for regular expressions, only when a rule needs it. */
  readonly patterns: () => Promise<CompilePattern>;
}

/** Stores who may write to a mask; the caller has checked its owner. */
export const saveSenders = async (
  db: Db,
  { senderLists }: Pick<MaskDeps, "senderLists">,
  mask: { readonly userId: string; readonly maskId: string },
  { mode, ...lists }: SendersEdit,
  now: number,
): Promise<void> => {
  if (mode !== undefined)
    await db
      .updateTable("masks")
      .set({ sender_mode: mode })
      .where("id", "=", mask.maskId)
      .where("user_id", "=", mask.userId)
      .execute();
  await senderLists.replace(db, mask, lists, now);
};

/** The error for a mask that does not exist or belongs to another user, which clients cannot tell apart. */
export const maskNotFound = (): HttpError => new HttpError(404, "Mask not found");

/** The user whose mask is changed, and the client that gets the result in its answer; null without one. */
export type MaskAuthor = Pick<AuthContext, "userId" | "clientId">;

/** Records a change of a user's masks; without an id, of several. */
export const recordMaskChange = (
  db: Db,
  author: MaskAuthor,
  action: "created" | "updated" | "deleted",
  maskId: string | null,
  now: number,
): Promise<void> => appendEvent(db, { ...toEvent(author, "masks", maskId), action }, now);

/** Records that the rules of a user's mask were saved. */
export const recordRulesChange = (db: Db, author: MaskAuthor, maskId: string, now: number): Promise<void> =>
  appendEvent(db, { ...toEvent(author, "rules", maskId), action: "updated" }, now);

/** Marks a mask as edited whose lists of senders have changed, and records that. */
export const recordSendersChange = async (
  db: Db,
  { userId, maskId }: { readonly userId: string; readonly maskId: string },
  now: number,
): Promise<void> => {
  await updateMask(db, userId, maskId, {}, now);
  await recordMaskChange(db, { userId, clientId: null }, "updated", maskId, now);
};

const toEvent = ({ userId, clientId }: MaskAuthor, resource: string, resourceId: string | null) => ({
  userId,
  clientId,
  resource,
  resourceId,
});
