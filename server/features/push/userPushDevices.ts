import type { Updateable } from "kysely";
import {
  maxPushDevices,
  type NewPushDevice,
  type PushDevice,
  type PushDeviceEdit,
  type RenewedSubscription,
} from "../../../core/push/pushEndpoints.ts";
import type { PushKind } from "../../../core/push/pushKind.ts";
import type { QuietHours } from "../../../core/push/quietHours.ts";
import { deviceName } from "../../../core/session/deviceName.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { sameHash } from "../../platform/ops/keyedHash.ts";
import type { MessageDispatcher } from "../../platform/outgoing/messages/messageDispatcher.ts";
import { hostOfTarget } from "../../platform/outgoing/namedTarget.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Db } from "../../platform/store/database.ts";
import { isId, newId } from "../../platform/store/id.ts";
import { lockUser } from "../../platform/store/users.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import type { PushDevicesTable } from "../pushDevices/pushTables.ts";
import { type DeviceRow, findDeviceRow, listDeviceRows } from "./pushQueries.ts";
import {
  isPublicKey,
  markOf,
  openSubscription,
  type PushSubscription,
  sealSubscription,
} from "./pushSubscription.ts";

/** A device that a user names as theirs. */
interface OwnDevice {
  readonly userId: string;
  readonly id: string;
}

/** The dependencies of the use cases of push notifications. What a user does not have is "missing". */
export interface PushContext extends Pick<ServerContext, "clock" | "random" | "seal" | "config"> {
  readonly pushDelivery: Pick<MessageDispatcher, "wake">;
}

const maxUserAgent = 256;

const iso = (at: number): string => new Date(Number(at)).toISOString();

const toDevice = (row: DeviceRow): PushDevice => ({
  id: row.id,
  mark: row.mark,
  userAgent: row.user_agent,
  created: iso(row.created_at),
  lastSent: row.last_sent_at === null ? null : iso(row.last_sent_at),
  kinds: JSON.parse(row.kinds) as readonly PushKind[],
  masks: JSON.parse(row.masks) as readonly string[],
  quietHours: row.quiet_hours === null ? null : (JSON.parse(row.quiet_hours) as QuietHours),
  showsSender: row.shows_sender === 1,
});

const notFound = (): UseCaseError =>
  new UseCaseError("missing", "This device gets no notifications any more.");

const getRow = async (db: Db, { userId, id }: OwnDevice): Promise<DeviceRow> => {
  const row = isId(id) ? await findDeviceRow(db, userId, id) : undefined;
  if (!row) throw notFound();
  return row;
};

/** Returns the ids of a list that are masks of the user. */
const ownMasks = async (db: Db, userId: string, ids: readonly string[]): Promise<readonly string[]> => {
  const asked = ids.filter(isId);
  if (asked.length === 0) return [];
  const rows = await db
    .selectFrom("masks")
    .where("user_id", "=", userId)
    .where("id", "in", asked)
    .select("id")
    .execute();
  return asked.filter((id) => rows.some((row) => row.id === id));
};

type ChoiceColumns = Pick<Updateable<PushDevicesTable>, "kinds" | "masks" | "quiet_hours" | "shows_sender">;

const toColumns = async (
  db: Db,
  userId: string,
  { kinds, masks, quietHours, showsSender }: PushDeviceEdit,
): Promise<ChoiceColumns> => ({
  ...(kinds === undefined ? {} : { kinds: JSON.stringify(kinds) }),
  ...(masks === undefined ? {} : { masks: JSON.stringify(await ownMasks(db, userId, masks)) }),
  ...(quietHours === undefined
    ? {}
    : { quiet_hours: quietHours === null ? null : JSON.stringify(quietHours) }),
  ...(showsSender === undefined ? {} : { shows_sender: showsSender ? 1 : 0 }),
});

export const listPushDevicesOf = async (db: Db, userId: string): Promise<readonly PushDevice[]> =>
  (await listDeviceRows(db, userId)).map(toDevice);

/** Returns the columns of a subscription; rejects one that nothing can be sent to. */
const toSubscriptionColumns = (
  { seal, config }: Pick<PushContext, "seal" | "config">,
  id: string,
  subscription: PushSubscription,
) => {
  const host = hostOfTarget(subscription.endpoint, "endpoint", config.webhookNetworks);
  if (!isPublicKey(subscription.p256dh))
    throw fieldError("invalid", "p256dh", "This is no key of a push subscription");
  return { mark: markOf(subscription), host, sealed: sealSubscription(seal, id, subscription) };
};

/**
 * Adds a device of a session, in place of the one with its endpoint, which only one browser knows. Rejects with a conflict beyond
 * 20. The owner is notified, because a stranger in the session could add one too.
 */
export const addPushDevice = async (
  context: PushContext,
  tx: Db,
  { userId, sessionId, userAgent }: { userId: string; sessionId: string; userAgent: string },
  wanted: NewPushDevice,
): Promise<PushDevice> => {
  const { kinds, quietHours, showsSender } = wanted;
  const id = newId(context.random);
  const subscription = toSubscriptionColumns(context, id, wanted);
  await lockUser(tx, userId);
  await tx.deleteFrom("push_devices").where("mark", "=", subscription.mark).execute();
  if ((await listDeviceRows(tx, userId)).length >= maxPushDevices)
    throw new UseCaseError(
      "conflict",
      `You have ${maxPushDevices} devices with notifications. Remove one that you no longer use.`,
    );
  const now = context.clock.now();
  const message = `Notifications go to ${deviceName(userAgent)} from now on.`;
  await addNotification(tx, { userId, type: "security", priority: "normal", message }, now);
  await tx
    .insertInto("push_devices")
    .values({
      id,
      user_id: userId,
      session_id: sessionId,
      ...subscription,
      kinds: JSON.stringify(kinds),
      masks: JSON.stringify(await ownMasks(tx, userId, wanted.masks)),
      quiet_hours: quietHours === null ? null : JSON.stringify(quietHours),
      shows_sender: showsSender ? 1 : 0,
      user_agent: userAgent.slice(0, maxUserAgent),
      created_at: now,
      last_sent_at: null,
    })
    .execute();
  return toDevice(await getRow(tx, { userId, id }));
};

/** Has what waits for a device looked at again. */
const sendAgain = async (
  { clock, pushDelivery }: Pick<PushContext, "clock" | "pushDelivery">,
  tx: Db,
  id: string,
  change: { readonly host?: string } = {},
): Promise<void> => {
  await tx
    .updateTable("push_messages")
    .set({ next_attempt_at: clock.now(), ...change })
    .where("device_id", "=", id)
    .execute();
  afterCommit(tx, pushDelivery.wake);
};

/**
 * Puts the subscription that a browser has made anew in the place of its former one, whose secret proves it. What waits goes to
 * the new one. Rejects with "missing" when no device has the former one.
 */
export const renewPushDevice = async (
  context: PushContext,
  tx: Db,
  { former, ...subscription }: RenewedSubscription,
): Promise<void> => {
  const device = await tx
    .selectFrom("push_devices")
    .selectAll()
    .where("mark", "=", markOf(former))
    .executeTakeFirst();
  const known = device && openSubscription(context.seal, device);
  if (!device || !known || !sameHash(known.auth, former.auth)) throw notFound();
  const { id } = device;
  const columns = toSubscriptionColumns(context, id, subscription);
  await tx.deleteFrom("push_devices").where("mark", "=", columns.mark).where("id", "!=", id).execute();
  await tx.updateTable("push_devices").set(columns).where("id", "=", id).execute();
  await sendAgain(context, tx, id, { host: columns.host });
};

/** Changes what is sent to a device. What waits for other quiet hours is looked at again. */
export const editPushDevice = async (
  context: PushContext,
  tx: Db,
  own: OwnDevice,
  edit: PushDeviceEdit,
): Promise<PushDevice> => {
  await getRow(tx, own);
  const columns = await toColumns(tx, own.userId, edit);
  if (Object.keys(columns).length > 0)
    await tx.updateTable("push_devices").set(columns).where("id", "=", own.id).execute();
  if (edit.quietHours !== undefined) await sendAgain(context, tx, own.id);
  return toDevice(await getRow(tx, own));
};

export const removePushDevice = async (tx: Db, own: OwnDevice): Promise<void> => {
  const { id } = await getRow(tx, own);
  await tx.deleteFrom("push_devices").where("id", "=", id).where("user_id", "=", own.userId).execute();
};

/** Sends a notification that says that it is a test; it is tried once. */
export const sendPushTest = async (
  { clock, pushDelivery }: PushContext,
  tx: Db,
  own: OwnDevice,
): Promise<void> => {
  const { id, host } = await getRow(tx, own);
  const now = clock.now();
  await tx.deleteFrom("push_messages").where("device_id", "=", id).where("kind", "=", "test").execute();
  await tx
    .insertInto("push_messages")
    .values({
      device_id: id,
      user_id: own.userId,
      host,
      kind: "test",
      body: JSON.stringify({ text: "Notifications reach this device." }),
      sealed: null,
      next_attempt_at: now,
      give_up_at: now,
    })
    .execute();
  afterCommit(tx, pushDelivery.wake);
};

/** Notes that a device is the one of a session. Rejects with "missing" when the user has none with this mark. */
export const bindPushDevice = async (
  tx: Db,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  mark: string,
): Promise<void> => {
  const { numUpdatedRows } = await tx
    .updateTable("push_devices")
    .set({ session_id: sessionId })
    .where("user_id", "=", userId)
    .where("mark", "=", mark)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound();
};
