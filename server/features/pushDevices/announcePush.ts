import { hourMs } from "../../../core/kernel/durations.ts";
import type { NotificationPlace } from "../../../core/notifications/notification.ts";
import type { PushKind } from "../../../core/push/pushKind.ts";
import type { Db } from "../../platform/store/database.ts";

/** The time for which a push notification is tried, by this server and by the push service. */
export const pushedForMs = 24 * hourMs;

/** The most push notifications that wait for a device; further ones are left out. */
export const maxWaitingPushes = 50;

/** The facts of a push notification, without sender and subject. */
export interface PushFacts {
  readonly text: string;
  readonly maskId?: string | undefined;
  readonly heldId?: string | undefined;
  readonly codeId?: string | undefined;
  readonly place?: NotificationPlace | undefined;
}

/** Something that happened, for the devices of a user that want its kind. */
export interface PushNotice extends PushFacts {
  readonly userId: string;
  readonly kind: PushKind;
  /** The kind of another notice of the same mail: a device that wants that one gets only it. */
  readonly unless?: PushKind;
  /** Encrypts sender and subject for a device that shows them, bound to it; absent without any. */
  readonly sealFor?: (deviceId: string) => string;
}

/** What a device wants, as it is stored. */
interface WantingDevice {
  readonly kinds: string;
  readonly masks: string;
}

/** True if a device wants notifications of this kind, and of this mask. */
export const wantsPush = (
  { kinds, masks }: WantingDevice,
  { kind, maskId = "" }: { readonly kind: PushKind; readonly maskId?: string | undefined },
): boolean =>
  (JSON.parse(kinds) as readonly string[]).includes(kind) &&
  (kind !== "masks" || (JSON.parse(masks) as readonly string[]).includes(maskId));

const isFor = (device: WantingDevice, notice: PushNotice): boolean =>
  wantsPush(device, notice) &&
  (notice.unless === undefined || !wantsPush(device, { kind: notice.unless, maskId: notice.maskId }));

/** Returns how many notifications wait for each of some devices. */
const countWaiting = async (db: Db, deviceIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .selectFrom("push_messages")
    .where("device_id", "in", [...deviceIds])
    .groupBy("device_id")
    .select(["device_id", ({ fn }) => fn.countAll<number>().as("n")])
    .execute();
  return new Map(rows.map(({ device_id: id, n }) => [id, Number(n)]));
};

/**
 * Stores push notifications for the devices of their users that want them, in the transaction of their cause. `mayPush` is asked
 * once for each that a device wants.
 */
export const announcePush = async <Notice extends PushNotice>(
  db: Db,
  notices: readonly Notice[],
  now: number,
  mayPush: (notice: Notice) => boolean = () => true,
): Promise<void> => {
  if (notices.length === 0) return;
  const devices = await db
    .selectFrom("push_devices")
    .where("user_id", "in", [...new Set(notices.map(({ userId }) => userId))])
    .select(["id", "user_id", "host", "kinds", "masks", "shows_sender"])
    .execute();
  const wanted = notices.flatMap((notice) => {
    const wanting = devices.filter((device) => notice.userId === device.user_id && isFor(device, notice));
    return wanting.length > 0 && mayPush(notice) ? wanting.map((device) => ({ device, notice })) : [];
  });
  if (wanted.length === 0) return;
  const waiting = new Map(await countWaiting(db, [...new Set(wanted.map(({ device }) => device.id))]));
  const rows = wanted.flatMap(({ device, notice }) => {
    const { userId, kind, sealFor, text, maskId, heldId, codeId, place } = notice;
    const count = waiting.get(device.id) ?? 0;
    if (count >= maxWaitingPushes) return [];
    waiting.set(device.id, count + 1);
    return {
      device_id: device.id,
      user_id: userId,
      host: device.host,
      kind,
      body: JSON.stringify({ text, maskId, heldId, codeId, place } satisfies PushFacts),
      sealed: device.shows_sender === 1 && sealFor ? sealFor(device.id) : null,
      next_attempt_at: now,
      give_up_at: now + pushedForMs,
    };
  });
  if (rows.length > 0) await db.insertInto("push_messages").values(rows).execute();
};
