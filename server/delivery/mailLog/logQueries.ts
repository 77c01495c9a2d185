import { sql } from "kysely";
import type { LogDirection, LogResult, LogState } from "../../../core/mailLog/logEntry.ts";
import { type Database, type Db, tryInSavepoint } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { appendEvents } from "../../platform/store/events.ts";

/** The detail of a mail or a step that the log keeps: as it is, or encrypted to the owner's key. */
export interface StoredDetail {
  /** null when it could not be encrypted. */
  readonly text: string | null;
  readonly isSealed: boolean;
}

/** A mail to log. */
export interface NewLogEntry {
  readonly id: string;
  readonly userId: string;
  readonly maskId: string;
  readonly at: number;
  readonly direction: LogDirection;
  readonly detail: StoredDetail;
}

/** Something that happened to a logged mail. */
export interface NewLogStep {
  readonly entryId: string;
  readonly userId: string;
  /** Empty for what concerns the mail and no copy. */
  readonly copyId: string;
  readonly state: LogState;
  readonly detail: StoredDetail | null;
}

const insertEntries: RowStatement = {
  columns: {
    id: "text",
    user_id: "text",
    mask_id: "text",
    at: "bigint",
    direction: "text",
    result: "text",
    detail: "text",
    sealed: "bigint",
  },
  text: (rows) =>
    `insert into log_entries (id, user_id, mask_id, at, direction, result, detail, sealed)
     select given.id, given.user_id, given.mask_id, given.at, given.direction, given.result, given.detail, given.sealed
     from ${rows} join users on users.id = given.user_id and users.mail_log <> 'off'`,
};

const insertSteps: RowStatement = {
  columns: {
    entry_id: "text",
    copy_id: "text",
    state: "text",
    at: "bigint",
    detail: "text",
    sealed: "bigint",
  },
  text: (rows) =>
    `insert into log_steps (entry_id, copy_id, state, at, times, detail, sealed)
     select given.entry_id, given.copy_id, given.state, given.at, 1, given.detail, given.sealed
     from ${rows} join log_entries on log_entries.id = given.entry_id where true
     on conflict (entry_id, copy_id, state) do update set
       at = excluded.at, times = log_steps.times + 1, detail = excluded.detail, sealed = excluded.sealed`,
};

/**
 * Of several copies the worst result counts: a mail is delivered when no copy waits any more, and one that is held stays
 * so for whatever its other copies do.
 */
const updateResults: RowStatement = {
  columns: { id: "text", result: "text" },
  text: (rows) =>
    `update log_entries set result = given.result from ${rows}
     where log_entries.id = given.id
       and (given.result not in ('delivered', 'deferred') or log_entries.result in ('queued', 'deferred'))
       and (given.result <> 'delivered' or not exists
         (select 1 from queue where queue.log_id = given.id and queue.status = 'waiting'))`,
};

const resultOf: Readonly<Record<LogState, LogResult | null>> = {
  delivered: "delivered",
  deferred: "deferred",
  bounced: "bounced",
  held: "held",
  released: "queued",
  deleted: "deleted",
  replied: null,
};

const announce = (
  database: Pick<Database, "engine">,
  db: Db,
  users: readonly string[],
  now: number,
): Promise<void> =>
  appendEvents(
    database,
    db,
    [...new Set(users)].map((userId) => ({ userId, resource: "log", resourceId: null, action: "updated" })),
    now,
  );

/** Splits steps so that no part has two of one mail, which one statement must not change twice. */
const inRounds = (steps: readonly NewLogStep[]): readonly (readonly NewLogStep[])[] => {
  const rounds: NewLogStep[][] = [];
  const counts = new Map<string, number>();
  for (const step of steps) {
    const count = counts.get(step.entryId) ?? 0;
    counts.set(step.entryId, count + 1);
    rounds[count] ??= [];
    rounds[count].push(step);
  }
  return rounds;
};

const storeSteps = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  steps: readonly NewLogStep[],
  now: number,
): Promise<void> => {
  for (const round of inRounds(steps)) {
    await engine.runRows(
      db,
      insertSteps,
      round.map(({ entryId, copyId, state, detail }) => [
        entryId,
        copyId,
        state,
        now,
        detail?.text ?? null,
        detail?.isSealed ? 1 : 0,
      ]),
    );
    const results = round.flatMap(({ entryId, state }) => {
      const result = resultOf[state];
      return result === null ? [] : [[entryId, result]];
    });
    if (results.length > 0) await engine.runRows(db, updateResults, results);
  }
};

/**
 * Logs mails with their results, and what happened to them at once, in the transaction of the mails. Entries of users who
 * have turned their log off meanwhile are left out; a failure leaves out all and ends nothing else.
 */
export const recordEntries = async (
  database: Pick<Database, "engine">,
  db: Db,
  {
    entries,
    steps,
  }: {
    readonly entries: readonly (NewLogEntry & { readonly result: LogResult })[];
    readonly steps: readonly NewLogStep[];
  },
  now: number,
): Promise<void> => {
  if (entries.length === 0) return;
  await tryInSavepoint(db, async () => {
    await database.engine.runRows(
      db,
      insertEntries,
      entries.map(({ id, userId, maskId, at, direction, result, detail }) => [
        id,
        userId,
        maskId,
        at,
        direction,
        result,
        detail.text,
        detail.isSealed ? 1 : 0,
      ]),
    );
    await storeSteps(database, db, steps, now);
    await announce(
      database,
      db,
      entries.map(({ userId }) => userId),
      now,
    );
  });
};

/** Adds what happened to logged mails, in the transaction in which it happens; a failure ends nothing else. */
export const recordSteps = async (
  database: Pick<Database, "engine">,
  db: Db,
  steps: readonly NewLogStep[],
  now: number,
): Promise<void> => {
  if (steps.length === 0) return;
  await tryInSavepoint(db, async () => {
    await storeSteps(database, db, steps, now);
    await announce(
      database,
      db,
      steps.map(({ userId }) => userId),
      now,
    );
  });
};

/** A page of the log. */
export interface LogQuery {
  readonly maskId?: string | undefined;
  readonly direction?: LogDirection | undefined;
  readonly result?: LogResult | undefined;
  /** Only entries after the one with this id. */
  readonly before?: string | undefined;
  /** A text in what is not encrypted. */
  readonly text?: string | undefined;
  /** null for all. */
  readonly limit: number | null;
  /** The number of entries that are left out before. */
  readonly offset?: number;
}

/** A text for `like ... escape '\'` that is found anywhere. */
const anywhere = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;

const findEntries = (
  db: Db,
  userId: string,
  { maskId, direction, result, before, text, limit, offset = 0 }: LogQuery,
) =>
  db
    .selectFrom("log_entries")
    .where("user_id", "=", userId)
    .$if(maskId !== undefined, (all) => all.where("mask_id", "=", maskId ?? ""))
    .$if(direction !== undefined, (all) => all.where("direction", "=", direction ?? "received"))
    .$if(result !== undefined, (all) => all.where("result", "=", result ?? "queued"))
    .$if(before !== undefined, (all) => all.where("id", "<", before ?? ""))
    .$if(text !== undefined, (all) =>
      all.where(({ or, exists, selectFrom }) => {
        const found = sql<boolean>`sealed = 0 and lower(detail) like ${anywhere(text ?? "")} escape '\\'`;
        return or([
          found,
          exists(
            selectFrom("log_steps").whereRef("entry_id", "=", "log_entries.id").where(found).select("state"),
          ),
        ]);
      }),
    )
    .orderBy("id", "desc")
    .$if(limit !== null, (all) => all.limit(limit ?? 0).offset(offset))
    .selectAll()
    .execute();

/** Returns entries of a user with their steps, newest first. */
export const listEntries = async (db: Db, userId: string, query: LogQuery) => {
  const entries = await findEntries(db, userId, query);
  const last = entries.at(-1)?.id ?? "";
  const first = entries[0]?.id ?? "";
  const steps = await db
    .selectFrom("log_steps")
    .innerJoin("log_entries", "log_entries.id", "log_steps.entry_id")
    .where("log_entries.user_id", "=", userId)
    .where("entry_id", ">=", last)
    .where("entry_id", "<=", first)
    .orderBy("log_steps.at")
    .orderBy("log_steps.copy_id")
    .selectAll("log_steps")
    .execute();
  const byEntry = Map.groupBy(steps, (step) => step.entry_id);
  return entries.map((entry) => ({ ...entry, steps: byEntry.get(entry.id) ?? [] }));
};

/** Deletes the log of a user. */
export const deleteEntries = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom("log_entries").where("user_id", "=", userId).execute();
};
