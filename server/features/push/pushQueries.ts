import type { Selectable } from "kysely";
import type { Prune } from "../../platform/ops/housekeeping.ts";
import type { Db } from "../../platform/store/database.ts";
import { pushedForMs } from "../pushDevices/announcePush.ts";
import type { PushDevicesTable, PushMessagesTable } from "../pushDevices/pushTables.ts";

export type DeviceRow = Selectable<PushDevicesTable>;
export type PushRow = Selectable<PushMessagesTable>;

/** Returns the devices of a user, newest first. */
export const listDeviceRows = (db: Db, userId: string): Promise<DeviceRow[]> =>
  db
    .selectFrom("push_devices")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();

export const findDeviceRow = (db: Db, userId: string, id: string): Promise<DeviceRow | undefined> =>
  db
    .selectFrom("push_devices")
    .selectAll()
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();

/** Deletes messages that nobody sends, such as those of suspended accounts. */
export const prunePushes: Prune = async (db, now) => {
  await db
    .deleteFrom("push_messages")
    .where("give_up_at", "<", now - pushedForMs)
    .execute();
};
