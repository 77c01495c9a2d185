import type { Db } from "../../platform/store/database.ts";
import { type PushFacts, wantsPush } from "../pushDevices/announcePush.ts";
import { findPushedCode } from "./pushedCode.ts";
import type { DeviceRow, PushRow } from "./pushQueries.ts";

/**
 * True if a message that has waited is still to be shown: its device wants it, its mask exists, and its held mail is not decided
 * yet, its code not used or expired.
 */
export const isStillWanted = async (
  db: Db,
  { kind, body }: PushRow,
  device: DeviceRow,
  now: number,
): Promise<boolean> => {
  if (kind === "test") return true;
  const facts = JSON.parse(body) as PushFacts;
  const { maskId, heldId, codeId } = facts;
  if (!wantsPush(device, { kind, maskId })) return false;
  const ofUser = (table: "masks" | "held_mails", id: string) =>
    db.selectFrom(table).where("user_id", "=", device.user_id).where("id", "=", id).select("id");
  const mask =
    maskId === undefined ||
    (await ofUser("masks", maskId).where("deleted_at", "is", null).executeTakeFirst());
  const held = heldId === undefined || (await ofUser("held_mails", heldId).executeTakeFirst());
  const code = codeId === undefined || (await findPushedCode(db, device.user_id, facts, now));
  return mask !== undefined && held !== undefined && code !== undefined;
};
