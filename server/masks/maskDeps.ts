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

/** The dependencies of the masks' use cases. */
export interface MaskDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly hash: KeyedHash;
  readonly sender: SystemMailSender;
  readonly feed: Pick<EventFeed, "wake">;
  readonly delivery: Pick<Delivery, "wake">;
  /** Loads the engine for regular expressions, only when a rule needs it. */
  readonly patterns: () => Promise<CompilePattern>;
}

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

const toEvent = ({ userId, clientId }: MaskAuthor, resource: string, resourceId: string | null) => ({
  userId,
  clientId,
  resource,
  resourceId,
});
