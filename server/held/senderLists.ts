import { domainOf, mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Seal } from "../ops/secrets.ts";
import type { KeyedHash } from "../session/keyedHash.ts";
import type { Db } from "../store/database.ts";
import type { SenderList } from "../store/heldTables.ts";

/** The senders that a mask always accepts, and those that it refuses: addresses and domains. */
export type ListedSenders = Readonly<Record<SenderList, readonly string[]>>;

/** The addresses of a mail's sender; empty where there is none. */
export interface ListedSender {
  readonly from: string;
  readonly envelope: string;
}

interface MaskOfUser {
  readonly userId: string;
  readonly maskId: string;
}

/** The allowed and blocked senders of masks. A copy of the database names none of them. */
export interface SenderLists {
  /**
   * Returns "block" when an address of the sender or its domain is blocked, "allow" when that in From is allowed;
   * null otherwise.
   */
  readonly find: (db: Db, maskId: string, sender: ListedSender) => Promise<SenderList | null>;
  /** Puts a sender on a list, and removes it from the other. */
  readonly add: (db: Db, mask: MaskOfUser, list: SenderList, sender: string, now: number) => Promise<void>;
  /** Returns the lists of a user's mask, oldest first. */
  readonly read: (db: Db, mask: MaskOfUser) => Promise<ListedSenders>;
  /** Removes a sender from its list; false when it was on none. */
  readonly remove: (db: Db, mask: MaskOfUser, sender: string) => Promise<boolean>;
}

/** An address itself, its domain, and the domains above that down to two labels; none for no address. */
const namesOf = (address: string): readonly string[] => {
  if (!address.includes("@")) return [];
  const key = mailboxKey(address);
  const labels = domainOf(key).split(".");
  const domains = labels.slice(0, -1).map((_, n) => labels.slice(n).join("."));
  return [key, ...domains];
};

const contextOf = (maskId: string): string => `sender of mask ${maskId}`;

export const createSenderLists = (hash: KeyedHash, { seal, open }: Seal): SenderLists => {
  const hashOf = (maskId: string, name: string): string => hash("listed-sender", maskId, mailboxKey(name));
  return {
    find: async (db, maskId, { from, envelope }) => {
      const allowing = new Set(namesOf(from).map((name) => hashOf(maskId, name)));
      const hashes = [...allowing, ...namesOf(envelope).map((name) => hashOf(maskId, name))];
      if (hashes.length === 0) return null;
      const found = await db
        .selectFrom("mask_senders")
        .where("mask_id", "=", maskId)
        .where("sender_hash", "in", hashes)
        .select(["list", "sender_hash as hash"])
        .execute();
      if (found.some(({ list }) => list === "block")) return "block";
      return found.some(({ hash }) => allowing.has(hash)) ? "allow" : null;
    },
    add: async (db, { userId, maskId }, list, sender, now) => {
      const sealed = seal(sender, contextOf(maskId));
      await db
        .insertInto("mask_senders")
        .values({
          mask_id: maskId,
          sender_hash: hashOf(maskId, sender),
          user_id: userId,
          list,
          sealed,
          created_at: now,
        })
        .onConflict((conflict) => conflict.columns(["mask_id", "sender_hash"]).doUpdateSet({ list }))
        .execute();
    },
    read: async (db, { userId, maskId }) => {
      const rows = await db
        .selectFrom("mask_senders")
        .where("mask_id", "=", maskId)
        .where("user_id", "=", userId)
        .orderBy("created_at")
        .select(["list", "sealed"])
        .execute();
      const of = (list: SenderList): readonly string[] =>
        rows.filter((row) => row.list === list).map(({ sealed }) => open(sealed, contextOf(maskId)));
      return { allow: of("allow"), block: of("block") };
    },
    remove: async (db, { userId, maskId }, sender) => {
      const { numDeletedRows } = await db
        .deleteFrom("mask_senders")
        .where("mask_id", "=", maskId)
        .where("user_id", "=", userId)
        .where("sender_hash", "=", hashOf(maskId, sender))
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
  };
};
