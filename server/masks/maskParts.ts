import type { Clock } from "../../core/ports/clock.ts";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { Refusal } from "../http/refusal.ts";
import type { KeyedHash } from "../identity/keyedHash.ts";
import type { Sender } from "../mailing/ownMail.ts";
import type { Database, Db } from "../store/database.ts";
import { appendEvent, type EventFeed } from "../store/events.ts";

/** What the use cases of masks are made from. */
export interface MaskParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hash: KeyedHash;
  readonly sender: Sender;
  readonly feed: Pick<EventFeed, "nudge">;
  readonly delivery: Pick<Delivery, "wake">;
  /** The engine for regular expressions, fetched when a rule has one. */
  readonly patterns: () => Promise<CompilePattern>;
}

/** The same answer for a mask that is not there and for somebody else's, so that nothing can be learnt from it. */
export const noSuchMask = (): Refusal => new Refusal(404, "Mask not found");

/** Records that a user's masks have changed; without an id, more than one has. */
export const maskChanged = (
  db: Db,
  userId: string,
  action: "created" | "updated" | "deleted",
  maskId: string | null,
  now: number,
): Promise<void> => appendEvent(db, { userId, resource: "masks", resourceId: maskId, action }, now);

/** Records that the rules of a user's mask have been saved. */
export const rulesChanged = (db: Db, userId: string, maskId: string, now: number): Promise<void> =>
  appendEvent(db, { userId, resource: "rules", resourceId: maskId, action: "updated" }, now);
