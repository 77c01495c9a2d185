import type { Db } from "../../platform/store/database.ts";

/** Removes the device that a session of a user was last seen on, when the session is ended. */
export const removePushDeviceOfSession = async (
  db: Db,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
): Promise<void> => {
  await db
    .deleteFrom("push_devices")
    .where("session_id", "=", sessionId)
    .where("user_id", "=", userId)
    .execute();
};

/**
 * Removes the devices of a user but the one that a session was last seen on, when the others are ended. A device whose login has
 * expired is of no session any more, and may be a stranger's.
 */
export const removeOtherPushDevices = async (
  db: Db,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string | null },
): Promise<void> => {
  await db
    .deleteFrom("push_devices")
    .where("user_id", "=", userId)
    .$if(sessionId !== null, (query) =>
      query.where((eb) => eb.or([eb("session_id", "is", null), eb("session_id", "!=", sessionId)])),
    )
    .execute();
};
