import type { Db } from "../../../platform/store/database.ts";
import { appendEvent } from "../../../platform/store/events.ts";
import { getLockedUser } from "../../../platform/store/users.ts";
import { endAllSessions } from "../sessions.ts";
import { createNotifyTwoFactor, type NotifyTwoFactorDeps } from "./twoFactorNotice.ts";
import { countPasskeys, removeTwoFactor } from "./twoFactorQueries.ts";

/**
 * Takes the second factor off an account whose owner has lost it, or which somebody else has put on, and ends all its sessions:
 * one of them may be somebody else's. Passkeys only, which needs the recovery codes beside a single passkey, ends with them.
 * The owner is told by mail and in the app. Returns false where the account has no second factor.
 */
export const takeTwoFactorOff = async (
  db: Db,
  deps: NotifyTwoFactorDeps,
  userId: string,
): Promise<boolean> => {
  const now = deps.clock.now();
  const user = await getLockedUser(db, userId);
  if (user.two_factor === 0) return false;
  await removeTwoFactor(db, userId);
  if (user.passkeys_only === 1 && (await countPasskeys(db, userId)) < 2)
    await db.updateTable("users").set({ passkeys_only: 0 }).where("id", "=", userId).execute();
  await createNotifyTwoFactor(deps)(db, user, "disabled-by-operator");
  await appendEvent(db, { userId, resource: "account", resourceId: null, action: "updated" }, now);
  await endAllSessions(db, userId, now);
  return true;
};
