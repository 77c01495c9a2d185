import { type RawBuilder, sql } from "kysely";
import { interval } from "rxjs";
import type { Clock } from "../../../../core/ports/clock.ts";
import type { Random } from "../../../../core/ports/random.ts";
import { errorTrace, type Log } from "../../ops/log.ts";
import type { Database, Db } from "../../store/database.ts";
import { newId } from "../../store/id.ts";
import { silentMs } from "../../store/signsOfLife.ts";
import { createMessagePlacing, type Places } from "./messagePlaces.ts";
import type { LeasedMessage, MessageTables } from "./messageTables.ts";
import { createMessageTurns } from "./messageTurns.ts";
import { nextAttemptAt } from "./nextAttempt.ts";

const pollIntervalMs = 1_000;

/** An attempt to send a message to its receiver. */
export interface Attempt<M, R> {
  readonly message: M;
  readonly receiver: R;
}

/** The lease of the process that makes an attempt. */
export interface AttemptLease {
  /** The condition of the row of the message while this process may change it. */
  readonly isOwn: RawBuilder<boolean>;
  /** Aborted when the process stops. */
  readonly signal: AbortSignal;
}

/** The result of an attempt: how long it took, and whether there was an answer; null when the process stopped meanwhile. */
export type AttemptTook = { readonly ms: number; readonly isAnswered: boolean } | null;

/** Messages of one kind and how they are sent. */
export interface MessageSending<M extends LeasedMessage, R extends { readonly id: string }> {
  readonly tables: MessageTables;
  readonly places: Places;
  /** The name of the receivers in the log. */
  readonly to: string;
  readonly findReceivers: (db: Db, ids: readonly string[]) => Promise<readonly R[]>;
  readonly receiverIdOf: (message: M) => string;
  /** Sends a message. Its outcome is recorded by the function that it returns, which is not called when the process stops. */
  readonly send: (
    attempt: Attempt<M, R>,
    lease: AttemptLease,
  ) => Promise<{ readonly took: AttemptTook; readonly record: () => Promise<void> }>;
  /** Ends a message whose attempts have failed in this server itself, until the end of its time. */
  readonly giveUp: (attempt: Attempt<M, R>, lease: Pick<AttemptLease, "isOwn">) => Promise<void>;
}

export interface MessageDispatcherDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Sends messages while it is started. */
export interface MessageDispatcher {
  /** Looks for due messages immediately; call it after a commit. */
  readonly wake: () => void;
  /** Starts to send and returns the function that stops, which gives back what is being sent. */
  readonly start: () => () => Promise<void>;
}

interface Running {
  readonly userId: string;
  readonly receiverId: string;
  readonly host: string;
  readonly beganAt: number;
  readonly done: Promise<void>;
}

/**
 * Sends messages to receivers of users. Processes share them by leases; one that is sent when its process ends is sent again.
 * Messages may overtake each other.
 *
 * NOTE: a lease ends by itself, because an attempt takes seconds at most. The queue of mail has leases without an end
 * (`server/delivery/queue/leaseHolders.ts`): an attempt to deliver a large mail takes as long as the next server
 * does, and a lease that ended meanwhile would have the mail sent twice.
 */
export const createMessageDispatcher = <M extends LeasedMessage, R extends { readonly id: string }>(
  { database, clock, random, log }: MessageDispatcherDeps,
  { tables, places, to, findReceivers, receiverIdOf, send, giveUp }: MessageSending<M, R>,
): MessageDispatcher => {
  const { db, engine } = database;
  const table = sql.table(tables.messages);
  const lease = newId(random);
  const turns = createMessageTurns(db, tables);
  const placing = createMessagePlacing(places);
  const running = new Map<number, Running>();
  let stopping = new AbortController();
  let isStarted = false;
  let pumping: Promise<void> | null = null;
  let isRerunNeeded = false;

  const isOwnMessage = (id: number): RawBuilder<boolean> =>
    sql<boolean>`(id = ${id} and lease = ${lease} and ${tables.isWaiting(tables.messages)})`;

  const giveBack = async (id: number): Promise<void> => {
    await sql`update ${table} set lease = null, leased_until = 0, attempts = attempts - 1
      where ${isOwnMessage(id)}`.execute(db);
  };

  /** Only one process uses SQLite: what is leased was leased by one that has ended. */
  const releaseOfSqlite = async (): Promise<void> => {
    if (engine.name !== "sqlite") return;
    await sql`update ${table} set lease = null, leased_until = 0
      where ${tables.isWaiting(tables.messages)} and lease is not null`.execute(db);
  };

  /** Leases messages that no other process has leased meanwhile, without waiting for one that is doing so. */
  const leaseThese = async (ids: readonly number[]): Promise<readonly Attempt<M, R>[]> => {
    const now = clock.now();
    const skipLocked = engine.name === "postgresql" ? sql`for update skip locked` : sql``;
    const { rows: messages } = await sql<M>`
      with free as (
        select id from ${table}
        where id in (${sql.join(ids)}) and ${tables.isWaiting(tables.messages)}
          and next_attempt_at <= ${now} and leased_until <= ${now}
        ${skipLocked}
      )
      update ${table} set lease = ${lease}, leased_until = ${now + silentMs}, attempts = attempts + 1
      where id in (select id from free) returning *`.execute(db);
    if (messages.length === 0) return [];
    const receivers = await findReceivers(db, [...new Set(messages.map(receiverIdOf))]);
    return messages.flatMap((message) => {
      const receiver = receivers.find(({ id }) => id === receiverIdOf(message));
      return receiver ? [{ message, receiver }] : [];
    });
  };

  /** Leases due messages that are not being sent, one of each user at most, while there are places for them. */
  const leaseDue = async (): Promise<readonly Attempt<M, R>[]> => {
    const now = clock.now();
    const used = placing.placesBeside(running.values(), now);
    const most = used.free();
    if (most === 0) return [];
    const chosen = await turns.next({ most, now, running: [...running.keys()] }, used.take);
    return chosen.length === 0 ? [] : leaseThese(chosen.map(({ id }) => id));
  };

  const attempt = async (one: Attempt<M, R>): Promise<void> => {
    const { id } = one.message;
    const { took, record } = await send(one, { isOwn: isOwnMessage(id), signal: stopping.signal });
    if (took === null) return giveBack(id);
    placing.recordAnswer(one.receiver.id, took);
    await record();
  };

  /** Puts a message off that could not be sent for a reason of this server, as one that was not answered. */
  const putOff = async (one: Attempt<M, R>): Promise<void> => {
    const { id, attempts, give_up_at: end } = one.message;
    const now = clock.now();
    const giveUpAt = Number(end);
    if (now >= giveUpAt) return giveUp(one, { isOwn: isOwnMessage(id) });
    const next = nextAttemptAt(attempts, { now, fraction: random.fraction(), retryAfter: null, giveUpAt });
    await sql`update ${table} set lease = null, leased_until = 0, next_attempt_at = ${next}
      where ${isOwnMessage(id)}`.execute(db);
  };

  const logFailure = (error: unknown): void =>
    log.error({ error: errorTrace(error) }, `sending to ${to} failed`);

  const begin = (one: Attempt<M, R>): void => {
    const { id, user_id: userId, host } = one.message;
    const done = attempt(one)
      .catch((error: unknown) => {
        logFailure(error);
        return putOff(one);
      })
      .catch(logFailure)
      .finally(() => {
        running.delete(id);
        wake();
      });
    running.set(id, { userId, receiverId: one.receiver.id, host, beganAt: clock.now(), done });
  };

  const pump = async (): Promise<void> => {
    do {
      isRerunNeeded = false;
      for (const one of await leaseDue()) {
        isRerunNeeded = true;
        begin(one);
      }
    } while (isStarted && isRerunNeeded);
  };

  const wake = (): void => {
    isRerunNeeded = true;
    if (!isStarted || pumping) return;
    pumping = pump()
      .catch((error: unknown) =>
        log.error({ error: errorTrace(error) }, `reading the messages to ${to} failed`),
      )
      .finally(() => {
        pumping = null;
      });
  };

  return {
    wake,
    start: () => {
      stopping = new AbortController();
      isStarted = true;
      const polling = interval(pollIntervalMs, clock.scheduler).subscribe(wake);
      releaseOfSqlite().then(wake, () => {});
      return async () => {
        isStarted = false;
        polling.unsubscribe();
        await pumping;
        stopping.abort();
        await Promise.all([...running.values()].map(({ done }) => done));
      };
    },
  };
};
