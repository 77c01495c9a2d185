import type { AppPassword } from "../../../core/appPasswords/appPasswordEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { isId, newId } from "../../platform/store/id.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { lockUser } from "../../platform/store/users.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { hashAppPassword, newAppPassword, showAppPassword } from "./appPassword.ts";
import { deleteAppPasswordRow, listAppPasswordRows } from "./appPasswordQueries.ts";

/** A new app password with its only readable copy. */
export interface CreatedAppPassword {
  readonly appPassword: AppPassword;
  readonly password: string;
}

/** The app passwords of users. */
export interface UserAppPasswords {
  readonly list: (userId: string) => Promise<readonly AppPassword[]>;
  /** Rejects with 409 beyond 20. The owner is notified, because a stranger in the session could make one too. */
  readonly create: (
    userId: string,
    name: string,
    recordAnswer: RecordAnswer<CreatedAppPassword>,
  ) => Promise<CreatedAppPassword>;
  /** Rejects with 404 when the user has none with this id. */
  readonly revoke: (userId: string, id: string, recordAnswer: RecordAnswer<void>) => Promise<void>;
}

export const maxPasswords = 20;

const isoDate = (at: number): string => new Date(Number(at)).toISOString();

const createdMessage = (name: string): string =>
  `An app password was made for "${name}". Whoever has it can send mail from your masks. If this was not you, revoke it in Settings and end all other sessions.`;

export const createUserAppPasswords = ({
  database,
  clock,
  random,
  feed,
}: Pick<ServerContext, "database" | "clock" | "random" | "feed">): UserAppPasswords => ({
  list: async (userId) =>
    (await listAppPasswordRows(database.db, userId)).map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      created: isoDate(created_at),
      lastUsed: last_used_at === null ? null : isoDate(last_used_at),
    })),

  create: async (userId, name, recordAnswer) => {
    const text = newAppPassword(random);
    const id = newId(random);
    const now = clock.now();
    const hash = await hashAppPassword(text, id);
    const created = await database.transaction(async (db) => {
      await lockUser(db, userId);
      if ((await listAppPasswordRows(db, userId)).length >= maxPasswords)
        throw new UseCaseError(
          "conflict",
          `You have ${maxPasswords} app passwords. Revoke one that you no longer use.`,
        );
      await db
        .insertInto("app_passwords")
        .values({ id, user_id: userId, name, lookup: text.lookup, hash, created_at: now, last_used_at: null })
        .execute();
      const message = createdMessage(name);
      await addNotification(
        db,
        { userId, type: "security", priority: "high", message, place: "app-passwords" },
        now,
      );
      return recordAnswer(db, {
        appPassword: { id, name, created: isoDate(now), lastUsed: null },
        password: showAppPassword(text),
      });
    });
    feed.wake();
    return created;
  },

  revoke: async (userId, id, recordAnswer) => {
    await database.transaction(async (db) => {
      if (!isId(id) || !(await deleteAppPasswordRow(db, userId, id)))
        throw new UseCaseError("missing", "This app password is revoked already.");
      await appendEvent(
        db,
        { userId, resource: "app-passwords", resourceId: id, action: "deleted" },
        clock.now(),
      );
      await recordAnswer(db);
    });
  },
});
