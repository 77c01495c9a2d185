import type { ServerContext } from "../../context/serverContext.ts";
import { type PasskeyEvent, passkeyMail, passkeyText } from "../../delivery/systemMail/passkeyMailTexts.ts";
import { queueSystemMail } from "../../delivery/systemMail/systemMail.ts";
import type { Db } from "../../platform/store/database.ts";
import { addNotification } from "../notifications/notificationQueries.ts";

/** Creates the function that tells a user in the app and by mail, in the transaction of the change. */
export const createNotifyPasskey =
  ({ clock, random, sender }: Pick<ServerContext, "clock" | "random" | "sender">) =>
  async (
    db: Db,
    user: { readonly id: string; readonly email: string },
    event: PasskeyEvent,
  ): Promise<void> => {
    const now = clock.now();
    // What the user has just done shows no toast.
    const priority = event.kind === "copied" ? "high" : "normal";
    await addNotification(
      db,
      { userId: user.id, type: "security", priority, message: passkeyText(event) },
      now,
    );
    await queueSystemMail(db, sender, passkeyMail(sender, user.email, event), { now, random });
  };

export type NotifyPasskey = ReturnType<typeof createNotifyPasskey>;
