import type { NameStyle } from "../../../core/mail/forwardedFrom.ts";
import { shownDescription } from "../../mime/forwardedName.ts";
import type { Db } from "../../platform/store/database.ts";
import type { MaskOwner } from "./reverseAddresses.ts";

/** A mask whose mail is forwarded, and how its senders are shown. */
export interface ShownMask extends MaskOwner {
  readonly nameStyle: NameStyle;
}

const maxKnown = 50_000;

/** The latest descriptions of a mask that a reply is searched for. */
const maxSearched = 50;

/**
 * The descriptions of masks that forwarded mail has shown beside names of senders. An answer quotes them, also after its
 * mask was given another description or another way to show senders.
 */
export class ShownDescriptions {
  /** Those that are certainly stored. */
  readonly #known = new Set<string>();

  /** Stores the descriptions that mails show, in the transaction of the mails. */
  async record(db: Db, masks: readonly ShownMask[], now: number): Promise<void> {
    for (const { maskId, userId, nameStyle } of masks) {
      const description = nameStyle.shown === "mask" ? shownDescription(nameStyle.description) : "";
      const key = `${maskId} ${description}`;
      if (description === "" || this.#known.has(key)) continue;
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto("shown_descriptions")
        .values({ mask_id: maskId, user_id: userId, description, first_shown_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      // A row of this transaction may yet be rolled back.
      if (numInsertedOrUpdatedRows === 0n) this.#remember(key);
    }
  }

  #remember(key: string): void {
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.add(key);
  }
}

/** Returns the latest descriptions that forwarded mail has shown for a mask. */
export const findShownDescriptions = async (
  db: Db,
  { userId, maskId }: MaskOwner,
): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom("shown_descriptions")
    .select("description")
    .where("mask_id", "=", maskId)
    .where("user_id", "=", userId)
    .orderBy("first_shown_at", "desc")
    .limit(maxSearched)
    .execute();
  return rows.map(({ description }) => shownDescription(description));
};
