import { noteChangedUsers } from "./changedUsers.ts";
import type { Database, Db } from "./database.ts";
import type { RowStatement } from "./engine.ts";

/** A change of a user's data, sent to the browser as `data_update` (RT13). */
export interface ChangeEvent {
  readonly userId: string;
  readonly resource: string;
  /** null when several things have changed. */
  readonly resourceId: string | null;
  readonly action: string;
  /** The client that got the change in its answer; null without one. */
  readonly clientId: string | null;
}

/** The resource of the events about API tokens; `resourceId` is the id of the token. */
export const apiTokensResource = "api-tokens";

/** The user of a change that every process needs, because it may have cached what has changed. */
export const everyProcess = "";

/** A change to record; without a client id it is sent to every client. */
export type NewEvent = Omit<ChangeEvent, "clientId"> & Partial<Pick<ChangeEvent, "clientId">>;

/** Records a change in its transaction, so that it is announced if and only if it was committed. */
export const appendEvent = async (db: Db, event: NewEvent, now: number): Promise<void> => {
  await db
    .insertInto("events")
    .values({
      user_id: event.userId,
      resource: event.resource,
      resource_id: event.resourceId,
      action: event.action,
      client_id: event.clientId ?? null,
      created_at: now,
    })
    .execute();
  noteChangedUsers(db, [event.userId]);
};

const insertEvents: RowStatement = {
  columns: { user_id: "text", resource: "text", resource_id: "text", action: "text", created_at: "bigint" },
  text: (rows) =>
    `insert into events (user_id, resource, resource_id, action, created_at)
     select given.user_id, given.resource, given.resource_id, given.action, given.created_at from ${rows}`,
};

/** Records changes like `appendEvent`, without client ids. */
export const appendEvents = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  events: readonly NewEvent[],
  now: number,
): Promise<void> => {
  await engine.runRows(
    db,
    insertEvents,
    events.map(({ userId, resource, resourceId, action }) => [userId, resource, resourceId, action, now]),
  );
  noteChangedUsers(
    db,
    events.map(({ userId }) => userId),
  );
};
