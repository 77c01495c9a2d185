import type { AppPassword } from "../../../core/appPasswords/appPasswordEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db, Write } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId, newId } from "../../platform/store/id.ts";
import { lockUser } from "../../platform/store/users.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { hashAppPassword, newAppPassword, showAppPassword } from "./appPassword.ts";
import { deleteAppPasswordRow, listAppPasswordRows } from "./appPasswordQueries.ts";

/** A new app password with its only readable copy. */
export interface CreatedAppPassword {
  readonly appPassword: AppPassword;
  readonly password: string;
}

export const maxPasswords = 20;

const isoDate = (at: number): string => new Date(Number(at)).toISOString();

const createdMessage = (name: string): string =>
  `An app password was created for "${name}". Whoever has it can send mail from your masks. If this was not you, revoke it in Settings and end all other sessions.`;

/** Returns the app passwords of a user. */
export const listAppPasswords = async (db: Db, userId: string): Promise<readonly AppPassword[]> =>
  (await listAppPasswordRows(db, userId)).map(({ id, name, created_at, last_used_at }) => ({
    id,
    name,
    created: isoDate(created_at),
    lastUsed: last_used_at === null ? null : isoDate(last_used_at),
  }));

/**
 * Prepares an app password, whose hash takes long. Rejects with 409 beyond 20. The owner is notified, because a stranger in the
 * session could make one too.
 */
export const makeAppPassword = async (
  { clock, random }: Pick<ServerContext, "clock" | "random">,
  userId: string,
  name: string,
): Promise<Write<CreatedAppPassword>> => {
  const text = newAppPassword(random);
  const id = newId(random);
  const now = clock.now();
  const hash = await hashAppPassword(text, id);
  return async (tx) => {
    await lockUser(tx, userId);
    if ((await listAppPasswordRows(tx, userId)).length >= maxPasswords)
      throw new UseCaseError(
        "conflict",
        `You have ${maxPasswords} app passwords. Revoke one that you no longer use.`,
      );
    await tx
      .insertInto("app_passwords")
      .values({ id, user_id: userId, name, lookup: text.lookup, hash, created_at: now, last_used_at: null })
      .execute();
    const message = createdMessage(name);
    await addNotification(
      tx,
      { userId, type: "security", priority: "high", message, place: "app-passwords" },
      now,
    );
    return {
      appPassword: { id, name, created: isoDate(now), lastUsed: null },
      password: showAppPassword(text),
    };
  };
};

/** Ends an app password. Rejects with 404 when the user has none with this id. */
export const revokeAppPassword = async (
  { clock }: Pick<ServerContext, "clock">,
  tx: Db,
  userId: string,
  id: string,
): Promise<void> => {
  if (!isId(id) || !(await deleteAppPasswordRow(tx, userId, id)))
    throw new UseCaseError("missing", "This app password is revoked already.");
  await appendEvent(
    tx,
    { userId, resource: "app-passwords", resourceId: id, action: "deleted" },
    clock.now(),
  );
};
