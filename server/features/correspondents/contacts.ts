import type { Db } from "../../platform/store/database.ts";
import type { ReverseAddresses } from "./reverseAddresses.ts";

/** The contact of a mask with a correspondent: its owner has written to them, or only got mail from them. */
export type Contact = "written-to" | "received-from";

/** Returns what mail a mask has exchanged with an address; null when it is no correspondent. */
export const findContact = async (
  db: Db,
  reverseAddresses: Pick<ReverseAddresses, "idOf">,
  { maskId, address }: { readonly maskId: string; readonly address: string },
): Promise<Contact | null> => {
  const rows = await db
    .selectFrom("reverse_addresses")
    .where("mask_id", "=", maskId)
    .where("correspondent_hash", "=", reverseAddresses.idOf({ userId: "", maskId }, { name: "", address }))
    .select(["last_out_at as lastOutAt", "is_link as isLink"])
    .execute();
  if (rows.some(({ lastOutAt }) => lastOutAt !== null)) return "written-to";
  return rows.some(({ isLink }) => isLink === 0) ? "received-from" : null;
};
