import * as t from "io-ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { KeyedHash } from "../../platform/ops/keyedHash.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import { ListTarget } from "./unsubscribeLinks.ts";

/** A mailing list of a mask, with what its last mail says about leaving it. */
const Sealed = t.type({ name: t.string, address: t.string, target: ListTarget });

/** A list whose mail arrives, to be recorded with the mail. */
export interface SeenList {
  readonly id: string;
  readonly maskId: string;
  readonly userId: string;
  /** Encrypted. */
  readonly sealed: string;
}

/** A list that a mask knows. */
export interface KnownList extends t.TypeOf<typeof Sealed> {
  readonly id: string;
  readonly seenAt: number;
  readonly leftAt: number | null;
}

interface MaskOfUser {
  readonly userId: string;
  readonly maskId: string;
}

/** Of a mask; the oldest go. */
export const maxLists = 50;

/** In characters; it stands in each link, too. */
const idLength = 16;
const maxName = 200;

const contextOf = (maskId: string): string => `mailing list of mask ${maskId}`;

/** The mailing lists of masks. A copy of the database names none of them. */
export interface MailingLists {
  /** Prepares a list by the sender of its mail, and by its own name where the mail has none. */
  readonly prepare: (mask: MaskOfUser, sender: Sender, target: ListTarget) => SeenList;
  /** Stores the lists of mails, in their transaction. */
  readonly record: (db: Db, lists: readonly SeenList[], now: number) => Promise<void>;
  /** Returns the lists of a mask, the latest first. */
  readonly read: (db: Db, mask: MaskOfUser) => Promise<readonly KnownList[]>;
}

export const createMailingLists = (hash: KeyedHash, seal: Seal): MailingLists => ({
  prepare: ({ userId, maskId }, { name, address }, target) => ({
    id: hash("mailing-list", maskId, address.toLowerCase()).slice(0, idLength),
    userId,
    maskId,
    sealed: seal.seal(JSON.stringify({ name: name.slice(0, maxName), address, target }), contextOf(maskId)),
  }),
  record: async (db, lists, now) => {
    for (const { id, maskId, userId, sealed } of lists) {
      await db
        .insertInto("mailing_lists")
        .values({ id, mask_id: maskId, user_id: userId, sealed, seen_at: now, left_at: null })
        .onConflict((conflict) => conflict.columns(["mask_id", "id"]).doUpdateSet({ sealed, seen_at: now }))
        .execute();
      const kept = db
        .selectFrom("mailing_lists")
        .where("mask_id", "=", maskId)
        .orderBy("seen_at", "desc")
        .orderBy("id")
        .limit(maxLists)
        .select("id");
      await db
        .deleteFrom("mailing_lists")
        .where("mask_id", "=", maskId)
        .where("id", "not in", kept)
        .execute();
    }
  },
  read: async (db, { userId, maskId }) => {
    const rows = await db
      .selectFrom("mailing_lists")
      .where("mask_id", "=", maskId)
      .where("user_id", "=", userId)
      .orderBy("seen_at", "desc")
      .orderBy("id")
      .selectAll()
      .execute();
    return rows.flatMap(({ id, sealed, seen_at, left_at }) => {
      let opened: unknown;
      try {
        opened = JSON.parse(seal.open(sealed, contextOf(maskId)));
      } catch {
        // Written with another key.
        return [];
      }
      return Sealed.is(opened)
        ? [{ id, ...opened, seenAt: Number(seen_at), leftAt: left_at === null ? null : Number(left_at) }]
        : [];
    });
  },
});

/** Records that a mask has left a list. */
export const markLeft = async (
  db: Db,
  { userId, maskId, id }: MaskOfUser & { readonly id: string },
  now: number,
): Promise<void> => {
  await db
    .updateTable("mailing_lists")
    .set({ left_at: now })
    .where("mask_id", "=", maskId)
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .execute();
};
