import { sql } from "kysely";
import { createRecentKeys } from "../../platform/rates/recentKeys.ts";
import type { Db } from "../../platform/store/database.ts";
import type { PlacedMessage } from "./webhookPlaces.ts";

/** The users of one page, the most pages that one search looks at, and the users with due messages after whom it ends. */
const usersOfPage = 200;
const maxPages = 5;
const enoughUsers = 200;

/** The most users whose last turn is remembered. */
const maxServed = 10_000;

/** A message that is due, the first one of its webhook. */
export interface DueMessage extends PlacedMessage {
  readonly id: number;
}

/** Returns the next users with messages that wait, in their order after one, and up to another one. */
const findWaitingUsers = async (
  db: Db,
  { after, upTo }: { readonly after: string; readonly upTo: string | null },
): Promise<readonly string[]> => {
  const isInRange = upTo === null ? sql`1 = 1` : sql`user_id <= ${upTo}`;
  const { rows } = await sql<{ readonly user_id: string }>`
    with recursive turns (user_id, number) as (
      select min(user_id), 1 from webhook_messages
      where state = 'waiting' and user_id > ${after} and ${isInRange}
      union all
      select (
        select min(user_id) from webhook_messages
        where state = 'waiting' and user_id > turns.user_id and ${isInRange}
      ), number + 1
      from turns where turns.user_id is not null and number < ${usersOfPage}
    )
    select user_id from turns where user_id is not null order by number`.execute(db);
  return rows.map(({ user_id: id }) => id);
};

/** Returns the first due message of each webhook of these users, the longest due first. */
const findDue = async (
  db: Db,
  users: readonly string[],
  { now, running }: Pick<WantedMessages, "now" | "running">,
): Promise<readonly DueMessage[]> => {
  if (users.length === 0) return [];
  const rows = await db
    .selectFrom("webhooks")
    .innerJoin("users", "users.id", "webhooks.user_id")
    .innerJoin("webhook_messages", (join) =>
      join.on("webhook_messages.id", "=", (eb) =>
        eb
          .selectFrom("webhook_messages as waiting")
          .whereRef("waiting.user_id", "=", "webhooks.user_id")
          .whereRef("waiting.webhook_id", "=", "webhooks.id")
          .where("waiting.state", "=", "waiting")
          .where("waiting.next_attempt_at", "<=", now)
          .where("waiting.leased_until", "<=", now)
          .$if(running.length > 0, (due) => due.where("waiting.id", "not in", [...running]))
          .where((where) =>
            where.or([
              where("waiting.type", "=", "webhook.test"),
              where.and([where("webhooks.active", "=", 1), where("webhooks.paused_because", "is", null)]),
            ]),
          )
          .orderBy("waiting.next_attempt_at")
          .limit(1)
          .select("waiting.id"),
      ),
    )
    .where("webhooks.user_id", "in", [...users])
    .where("users.suspended", "=", 0)
    .orderBy("webhook_messages.next_attempt_at")
    .select([
      "webhook_messages.id",
      "webhook_messages.user_id as userId",
      "webhook_messages.webhook_id as webhookId",
      "webhook_messages.host",
    ])
    .execute();
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
export interface WebhookTurns {
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
export const createWebhookTurns = (db: Db): WebhookTurns => {
  const served = createRecentKeys<number>(maxServed);
  let turn = 0;
  let searchedUpTo = "";

  /** Finds users with due messages; where there are too many for one search, the next one begins after the last of them. */
  const search = async (wanted: WantedMessages): Promise<readonly (readonly DueMessage[])[]> => {
    const found: (readonly DueMessage[])[] = [];
    const begun = searchedUpTo;
    let range: { readonly after: string; readonly upTo: string | null } = { after: begun, upTo: null };
    for (let page = 0; page < maxPages && found.length < enoughUsers; page += 1) {
      const users = await findWaitingUsers(db, range);
      const due = Map.groupBy(await findDue(db, users, wanted), ({ userId }) => userId);
      found.push(...due.values());
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
