import { sql } from "kysely";
import { createRecentKeys } from "../../rates/recentKeys.ts";
import type { Db } from "../../store/database.ts";
import type { PlacedMessage } from "./messagePlaces.ts";
import type { MessageTables } from "./messageTables.ts";

/** The users of one page, the most pages that one search looks at, and the users with due messages after whom it ends. */
const usersOfPage = 200;
const maxPages = 5;
const enoughUsers = 200;

/** The most due messages whose users are all looked at; where there are more, users are searched page by page. */
const fewDue = 1_000;

/** The most users whose last turn is remembered. */
const maxServed = 10_000;

/** A message that is due, the first one of its receiver. */
interface DueMessage extends PlacedMessage {
  readonly id: number;
}

/** Returns the users with due messages; null where there are too many of these to look at all. */
const findUsersOfFewDue = async (
  db: Db,
  { messages, isWaiting }: MessageTables,
  now: number,
): Promise<readonly string[] | null> => {
  const { rows } = await sql<{ readonly user_id: string }>`
    select user_id from ${sql.table(messages)} as waiting
    where ${isWaiting("waiting")} and next_attempt_at <= ${now} and leased_until <= ${now}
    order by next_attempt_at limit ${fewDue + 1}`.execute(db);
  return rows.length > fewDue ? null : [...new Set(rows.map(({ user_id: id }) => id))];
};

/** Returns the next users with messages that wait, in their order after one, and up to another one. */
const findWaitingUsers = async (
  db: Db,
  { messages, isWaiting }: MessageTables,
  { after, upTo }: { readonly after: string; readonly upTo: string | null },
): Promise<readonly string[]> => {
  const table = sql.table(messages);
  const isInRange = upTo === null ? sql`1 = 1` : sql`user_id <= ${upTo}`;
  const { rows } = await sql<{ readonly user_id: string }>`
    with recursive turns (user_id, number) as (
      select min(user_id), 1 from ${table} as waiting
      where ${isWaiting("waiting")} and user_id > ${after} and ${isInRange}
      union all
      select (
        select min(user_id) from ${table} as waiting
        where ${isWaiting("waiting")} and user_id > turns.user_id and ${isInRange}
      ), number + 1
      from turns where turns.user_id is not null and number < ${usersOfPage}
    )
    select user_id from turns where user_id is not null order by number`.execute(db);
  return rows.map(({ user_id: id }) => id);
};

/** Returns the first due message of each receiver of these users, the longest due first. */
const findDue = async (
  db: Db,
  tables: MessageTables,
  users: readonly string[],
  { now, running }: Pick<WantedMessages, "now" | "running">,
): Promise<readonly DueMessage[]> => {
  if (users.length === 0) return [];
  const messages = sql.table(tables.messages);
  const receiver = sql.ref(tables.receiver);
  const isOther = running.length === 0 ? sql`1 = 1` : sql`waiting.id not in (${sql.join(running)})`;
  const { rows } = await sql<DueMessage>`
    select due.id, due.user_id as "userId", due.${receiver} as "receiverId", due.host
    from ${sql.table(tables.receivers)} as receiver
    join users on users.id = receiver.user_id
    join ${messages} as due on due.id = (
      select waiting.id from ${messages} as waiting
      where waiting.user_id = receiver.user_id and waiting.${receiver} = receiver.id
        and ${tables.isWaiting("waiting")}
        and waiting.next_attempt_at <= ${now} and waiting.leased_until <= ${now}
        and ${isOther} and (${tables.isOpen})
      order by waiting.next_attempt_at limit 1
    )
    where receiver.user_id in (${sql.join(users)}) and users.suspended = 0
    order by due.next_attempt_at`.execute(db);
  return rows.map((row) => ({ ...row, id: Number(row.id) }));
};

/** The limits of the messages that a process can send now. */
interface WantedMessages {
  readonly most: number;
  readonly now: number;
  /** The messages that it is sending, also those whose lease has ended. */
  readonly running: readonly number[];
}

/** Gives each user a turn. */
interface MessageTurns {
  /**
   * Returns due messages, one of each user at most, of those first whose last turn was longest ago; `take` says whether a
   * message has a place, and `most` how many are wanted.
   */
  readonly next: (
    wanted: WantedMessages,
    take: (message: DueMessage) => boolean,
  ) => Promise<readonly DueMessage[]>;
}

/** Creates the turns of one process. */
export const createMessageTurns = (db: Db, tables: MessageTables): MessageTurns => {
  const served = createRecentKeys<number>(maxServed);
  let turn = 0;
  let searchedUpTo = "";

  const byUser = async (
    users: readonly string[],
    wanted: WantedMessages,
  ): Promise<readonly (readonly DueMessage[])[]> => [
    ...Map.groupBy(await findDue(db, tables, users, wanted), ({ userId }) => userId).values(),
  ];

  /** Finds users with due messages; where there are too many for one search, the next one begins after the last of them. */
  const search = async (wanted: WantedMessages): Promise<readonly (readonly DueMessage[])[]> => {
    const few = await findUsersOfFewDue(db, tables, wanted.now);
    if (few) return byUser(few, wanted);
    const found: (readonly DueMessage[])[] = [];
    const begun = searchedUpTo;
    let range: { readonly after: string; readonly upTo: string | null } = { after: begun, upTo: null };
    for (let page = 0; page < maxPages && found.length < enoughUsers; page += 1) {
      const users = await findWaitingUsers(db, tables, range);
      found.push(...(await byUser(users, wanted)));
      const last = users.at(-1);
      if (last !== undefined && users.length === usersOfPage) {
        searchedUpTo = last;
        range = { ...range, after: last };
      } else if (range.upTo === null && begun !== "") range = { after: "", upTo: begun };
      else break;
    }
    return found;
  };

  const lastTurnOf = ([message]: readonly DueMessage[]): number =>
    (message && served.find(message.userId)) ?? 0;

  return {
    next: async (wanted, take) => {
      const users = (await search(wanted)).toSorted((one, other) => lastTurnOf(one) - lastTurnOf(other));
      const chosen: DueMessage[] = [];
      for (const due of users) {
        if (chosen.length >= wanted.most) break;
        const message = due.find(take);
        if (!message) continue;
        turn += 1;
        served.set(message.userId, turn);
        chosen.push(message);
      }
      return chosen;
    },
  };
};
