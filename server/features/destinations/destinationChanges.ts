import { sql } from "kysely";
import type {
  AddedDestination,
  Destination,
  DestinationRemoval,
} from "../../../core/destinations/destinationEndpoints.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { EmailAddress } from "../../../core/mail/emailAddress.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId } from "../../platform/store/id.ts";
import { lockUser } from "../../platform/store/users.ts";
import { timeOfEdit } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { type DestinationAuthor, resolveDestination } from "./destination.ts";
import {
  type DestinationRow,
  findDestinations,
  lockDestination,
  removeDestinationRow,
} from "./destinationQueries.ts";

const destinationNotFound = (): UseCaseError =>
  new UseCaseError("missing", "This address is not in your list any more");

/** Returns a user's destinations as clients receive them, oldest first. */
export const readDestinations = async (db: Db, userId: string): Promise<Destination[]> => {
  const rows = await findDestinations(db, userId);
  const hasDefault = rows.some((row) => row.is_default === 1);
  return rows.map((row) => {
    const isAccount = Number(row.is_account) === 1;
    return {
      id: row.id,
      email: row.email,
      name: row.name,
      status: row.confirmed_at === null ? "awaiting-confirmation" : "confirmed",
      masks: Number(row.masks),
      isDefault: hasDefault ? row.is_default === 1 : isAccount,
      isAccount,
      keyFingerprint: row.fingerprint,
    };
  });
};

/** Returns one of a user's destinations as clients receive it. */
export const readDestination = async (db: Db, userId: string, id: string): Promise<Destination> => {
  const destination = (await readDestinations(db, userId)).find((one) => one.id === id);
  if (!destination) throw destinationNotFound();
  return destination;
};

/** Adds a destination, which gets a mail to confirm it; of one that waits for its confirmation the mail is sent again. */
export const addDestination = async (
  db: Db,
  deps: MaskDeps,
  author: DestinationAuthor,
  email: EmailAddress,
): Promise<AddedDestination> => {
  const { userId } = author;
  const added = await resolveDestination(db, deps, author, { forwardTo: email });
  const destination = await readDestination(db, userId, added.id);
  const event = { userId, resource: "account", resourceId: null, action: "updated" };
  await appendEvent(db, event, deps.clock.now());
  return { ...destination, confirmationSent: added.isConfirmationSent };
};

/** Locks the user and one of their destinations. */
export const lockOwn = async (db: Db, userId: string, id: string): Promise<DestinationRow> => {
  await lockUser(db, userId);
  const row = isId(id) ? await lockDestination(db, userId, id) : undefined;
  if (!row) throw destinationNotFound();
  return row;
};

export const makeDefault = async (
  db: Db,
  { id, user_id: userId, confirmed_at }: DestinationRow,
): Promise<void> => {
  if (confirmed_at === null)
    throw new UseCaseError(
      "conflict",
      "Mail goes to confirmed addresses only. Open the link in the confirmation mail there first.",
    );
  await db
    .updateTable("destinations")
    .set({ is_default: sql<number>`case when id = ${id} then 1 else 0 end` })
    .where("user_id", "=", userId)
    .execute();
};

const targetOf = async (
  db: Db,
  userId: string,
  id: string,
  { masks }: DestinationRemoval,
): Promise<string> => {
  const all = await readDestinations(db, userId);
  const target = all.find((one) =>
    masks.kind === "move"
      ? one.id === masks.to && one.id !== id && one.status === "confirmed"
      : one.isAccount,
  );
  if (!target) throw fieldError("invalid", "masks", "Choose another confirmed address for the masks.");
  return target.id;
};

/**
 * Takes a destination from the further ones of masks, and gives masks that have others one of them as their first,
 * confirmed ones before the rest.
 */
const promoteFurther = async (db: Db, userId: string, id: string, now: number): Promise<void> => {
  await sql`delete from mask_destinations where user_id = ${userId} and destination_id = ${id}`.execute(db);
  await sql`
    update masks set updated_at = ${timeOfEdit(now)}, destination_id = (
      select destinations.id from mask_destinations
      join destinations on destinations.id = mask_destinations.destination_id
      where mask_destinations.mask_id = masks.id
      order by case when destinations.confirmed_at is null then 1 else 0 end, position limit 1)
    where user_id = ${userId} and destination_id = ${id}
      and exists (select 1 from mask_destinations where mask_destinations.mask_id = masks.id)`.execute(db);
};

/** Takes the first destination of masks from their further ones. */
const dropRepeated = (db: Db, userId: string) =>
  sql`
    delete from mask_destinations where user_id = ${userId} and destination_id =
      (select masks.destination_id from masks where masks.id = mask_destinations.mask_id)`.execute(db);

/** Removes one of a user's destinations, after its masks have another one. Throws 409 for the account's address. */
export const removeDestination = async (
  db: Db,
  { userId, id, removal, now }: { userId: string; id: string; removal: DestinationRemoval; now: number },
): Promise<void> => {
  const row = await lockOwn(db, userId, id);
  const { isAccount } = await readDestination(db, userId, id);
  if (isAccount) throw new UseCaseError("conflict", "The address of your account cannot be removed.");
  const target = await targetOf(db, userId, id, removal);
  await promoteFurther(db, userId, id, now);
  const isOff = removal.masks.kind === "switchOff";
  await db
    .updateTable("masks")
    .set({
      destination_id: target,
      updated_at: timeOfEdit(now),
      ...(isOff && { active: 0, paused: 0, deleted_active: 0 }),
    })
    .where("user_id", "=", userId)
    .where("destination_id", "=", id)
    .execute();
  await dropRepeated(db, userId);
  await removeDestinationRow(db, row, now - dayMs);
};
