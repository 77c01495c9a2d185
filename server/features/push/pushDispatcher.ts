import { sql } from "kysely";
import { type QuietHours, quietUntil } from "../../../core/push/quietHours.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { systemMailAddress } from "../../delivery/serviceAddresses.ts";
import {
  type Attempt,
  type AttemptLease,
  createMessageDispatcher,
  type MessageDispatcher,
} from "../../platform/outgoing/messages/messageDispatcher.ts";
import type { MessageTables } from "../../platform/outgoing/messages/messageTables.ts";
import { nextAttemptAt } from "../../platform/outgoing/messages/nextAttempt.ts";
import type { OutgoingFailure, OutgoingResult } from "../../platform/outgoing/publicHttpClient.ts";
import { pushedForMs } from "../pushDevices/announcePush.ts";
import { encryptPush, type PushRequest } from "./encryptPush.ts";
import type { PushKeys } from "./pushKeys.ts";
import { allPlaces, payloadBytes, unprovenPlaces } from "./pushLimits.ts";
import type { DeviceRow, PushRow } from "./pushQueries.ts";
import { openSubscription } from "./pushSubscription.ts";
import { payloadOf } from "./pushText.ts";
import { isStillWanted } from "./stillWanted.ts";

export type PushDispatcherDeps = Pick<
  ServerContext,
  "database" | "clock" | "random" | "log" | "seal" | "postToPublicHost" | "config"
> & { readonly pushKeys: PushKeys };

const messageTables: MessageTables = {
  messages: "push_messages",
  receivers: "push_devices",
  receiver: "device_id",
  isWaiting: () => sql`1 = 1`,
  isOpen: sql`1 = 1`,
};

type PushAttempt = Attempt<PushRow, DeviceRow>;

/** What becomes of a message after an attempt, and of its device. */
type Fate = "sent" | "device-gone" | "given-up" | "again";

/** Addresses that this server sends nothing to, whatever is asked. */
const forbidden: ReadonlySet<OutgoingFailure> = new Set([
  "address",
  "port",
  "private-network",
  "own-listener",
  "insecure",
]);

/** The answers about a subscription that has ended. */
const gone: ReadonlySet<number> = new Set([404, 410]);

/** The answers to a proof that is not taken: the subscription was made for another key, or a clock is wrong for a while. */
const keyRefused: ReadonlySet<number> = new Set([401, 403]);

const fateOf = (result: OutgoingResult, isLast: boolean): Fate => {
  if ("failure" in result) {
    if (forbidden.has(result.failure)) return "device-gone";
    return isLast ? "given-up" : "again";
  }
  const { status } = result;
  if (status >= 200 && status < 300) return "sent";
  if (gone.has(status) || (isLast && keyRefused.has(status))) return "device-gone";
  const mayHeal = keyRefused.has(status) || status === 408 || status === 429 || status >= 500;
  return mayHeal && !isLast ? "again" : "given-up";
};

/** Returns when the quiet hours of a device end in which a message has to wait; null where it is sent now. */
const waitsUntil = ({ message, receiver }: PushAttempt, now: number): number | null => {
  if (receiver.quiet_hours === null || message.kind === "security" || message.kind === "test") return null;
  return quietUntil(JSON.parse(receiver.quiet_hours) as QuietHours, now);
};

/** Appends blanks to a text of JSON, so that the size of what is sent tells nothing of what it says. */
const padded = (json: string): string =>
  json + " ".repeat(Math.max(0, payloadBytes - Buffer.byteLength(json)));

/** The result where nothing was sent. */
const notSent = { took: null, record: async () => {} } as const;

/** Creates what sends push notifications to the push services of their devices. */
export const createPushDispatcher = (deps: PushDispatcherDeps): MessageDispatcher => {
  const { database, clock, random, log, seal, config, postToPublicHost, pushKeys } = deps;
  const { db } = database;
  const contact = config.publicUrl.startsWith("https://")
    ? config.publicUrl
    : `mailto:${systemMailAddress(config.maskDomain)}`;

  /** Encrypts a message; null where nothing can be sent to the device. */
  const prepare = async (
    { message, receiver: device }: PushAttempt,
    now: number,
  ): Promise<(PushRequest & { readonly url: string }) | null> => {
    const subscription = openSubscription(seal, device);
    if (subscription === null) return null;
    const payload = await payloadOf({ db, seal, now }, message, device);
    const request = await encryptPush(subscription, padded(JSON.stringify(payload)), {
      keys: await pushKeys(),
      contact,
      keptForMs: pushedForMs,
    });
    return { ...request, url: subscription.endpoint };
  };

  /** Puts a message off. The end of its time stays, so that nights do not prolong it; an attempt after it is the last one. */
  const postpone = async ({ isOwn }: AttemptLease, until: number): Promise<void> => {
    await db.updateTable("push_messages").set({ next_attempt_at: until }).where(isOwn).execute();
  };

  /** Removes a device; false when its browser has renewed the subscription meanwhile. */
  const forget = async ({ id, mark }: DeviceRow): Promise<boolean> => {
    const { numDeletedRows } = await db
      .deleteFrom("push_devices")
      .where("id", "=", id)
      .where("mark", "=", mark)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  };

  const record = async (
    { message, receiver: device }: PushAttempt,
    { isOwn }: AttemptLease,
    result: OutgoingResult,
  ): Promise<void> => {
    const now = clock.now();
    const giveUpAt = Number(message.give_up_at);
    const fate = fateOf(result, now >= giveUpAt);
    const isForgotten = fate === "device-gone" && (await forget(device));
    if (isForgotten) return;
    if (fate === "again" || fate === "device-gone") {
      const retryAfter = "failure" in result ? null : result.retryAfter;
      const next = nextAttemptAt(message.attempts, {
        now,
        fraction: random.fraction(),
        retryAfter,
        giveUpAt,
      });
      const waiting = { lease: null, leased_until: 0, next_attempt_at: next };
      await db.updateTable("push_messages").set(waiting).where(isOwn).execute();
      return;
    }
    if (fate === "given-up" && "status" in result)
      log.warn({ status: result.status }, "a push service refused a notification");
    await database.transaction(async (tx) => {
      await tx.deleteFrom("push_messages").where(isOwn).execute();
      if (fate !== "sent") return;
      await tx.updateTable("push_devices").set({ last_sent_at: now }).where("id", "=", device.id).execute();
    });
  };

  return createMessageDispatcher<PushRow, DeviceRow>(deps, {
    tables: messageTables,
    places: { all: allPlaces, unproven: unprovenPlaces },
    to: "push services",
    receiverIdOf: ({ device_id: id }) => id,
    findReceivers: (from, ids) =>
      from
        .selectFrom("push_devices")
        .selectAll()
        .where("id", "in", [...ids])
        .execute(),
    giveUp: async (_, { isOwn }) => {
      await db.deleteFrom("push_messages").where(isOwn).execute();
    },
    send: async (attempt, lease) => {
      const began = clock.now();
      if (!(await isStillWanted(db, attempt.message, attempt.receiver, began))) {
        await db.deleteFrom("push_messages").where(lease.isOwn).execute();
        return notSent;
      }
      const until = waitsUntil(attempt, began);
      if (until !== null) {
        await postpone(lease, until);
        return notSent;
      }
      const request = await prepare(attempt, began);
      if (request === null) {
        await forget(attempt.receiver);
        return notSent;
      }
      const result = await postToPublicHost({ ...request, signal: lease.signal });
      const isStopped = "failure" in result && result.failure === "stopped";
      return {
        took: isStopped ? null : { ms: clock.now() - began, isAnswered: "status" in result },
        record: () => record(attempt, lease, result),
      };
    },
  });
};
