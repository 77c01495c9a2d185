import { type Selectable, sql, type Updateable } from "kysely";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId } from "../../platform/store/id.ts";
import type { Tables } from "../../platform/store/tables.ts";
import { announceMasks } from "../webhooks/announce.ts";

/** A mask and the user who has it. */
interface OwnedMask {
  readonly userId: string;
  readonly maskId: string;
}

/** The error for a mask that does not exist or belongs to another user, which clients cannot tell apart. */
export const maskNotFound = (): UseCaseError => new UseCaseError("missing", "Mask not found");

/**
 * The user whose mask is changed, with what they are logged in, and the client that gets the result in its answer; null without
 * one.
 */
export type MaskAuthor = Pick<AuthContext, "userId" | "clientId"> &
  Partial<Pick<AuthContext, "callerId" | "token">>;

type MaskAction = "created" | "updated" | "deleted";

/** Records a change of a user's masks; without an id, of several, which no webhook is told of. */
export const recordMaskChange = async (
  db: Db,
  author: MaskAuthor,
  action: MaskAction,
  maskId: string | null,
  now: number,
): Promise<void> => {
  await appendEvent(db, { ...toEvent(author, "masks", maskId), action }, now);
  if (maskId !== null) await announceMasks(db, author.userId, { action, maskIds: [maskId] }, now);
};

/** Records a change of several masks of a user; webhooks are told of each, sockets of one change. */
export const recordMasksChange = async (
  db: Db,
  author: MaskAuthor,
  action: MaskAction,
  maskIds: readonly string[],
  now: number,
): Promise<void> => {
  await recordMaskChange(db, author, action, null, now);
  await announceMasks(db, author.userId, { action, maskIds }, now);
};

/** Records that the rules of a user's mask were saved. */
export const recordRulesChange = (db: Db, author: MaskAuthor, maskId: string, now: number): Promise<void> =>
  appendEvent(db, { ...toEvent(author, "rules", maskId), action: "updated" }, now);

const toEvent = ({ userId, clientId }: MaskAuthor, resource: string, resourceId: string | null) => ({
  userId,
  clientId,
  resource,
  resourceId,
});

/** Always later than the previous edit, even if the clocks of two processes differ. */
export const timeOfEdit = (now: number) =>
  sql<number>`case when updated_at < cast(${now} as bigint) then cast(${now} as bigint) else updated_at + 1 end`;

/** Updates one of the user's masks and locks it until the transaction ends; undefined when there is none. */
export const updateMask = (
  db: Db,
  userId: string,
  id: string,
  change: Updateable<Tables["masks"]>,
  now: number,
): Promise<Selectable<Tables["masks"]> | undefined> =>
  db
    .updateTable("masks")
    .set({ ...change, updated_at: timeOfEdit(now) })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .returningAll()
    .executeTakeFirst();

/** Throws a 404 when the user has no such mask. */
export const assertMask = async (db: Db, { userId, maskId }: OwnedMask): Promise<void> => {
  const row = isId(maskId)
    ? await db
        .selectFrom("masks")
        .select("id")
        .where("id", "=", maskId)
        .where("user_id", "=", userId)
        .where("deleted_at", "is", null)
        .executeTakeFirst()
    : undefined;
  if (!row) throw maskNotFound();
};

/** Marks a mask as edited whose lists of senders have changed, and records that. */
export const recordSendersChange = async (
  db: Db,
  { userId, maskId }: OwnedMask,
  now: number,
): Promise<void> => {
  await updateMask(db, userId, maskId, {}, now);
  await recordMaskChange(db, { userId, clientId: null }, "updated", maskId, now);
};
