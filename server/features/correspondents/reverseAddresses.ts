import { createHmac } from "node:crypto";
import * as t from "io-ts";
import { dayMs, hourMs } from "../../../core/kernel/durations.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import { createSeal, type Secrets } from "../../platform/ops/secrets.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { newReverseLocalPart } from "./reverseAddress.ts";

/** A mask and its owner. */
export interface MaskOwner {
  readonly userId: string;
  readonly maskId: string;
}

/**
 * Why a mail leads to somebody: they get a simple answer to it, a link in its header leads to them, or they are named
 * beside others.
 */
export type CorrespondentRole = "answered" | "link" | "named";

/** Somebody to whom a mail program may write because of a mail. */
export interface Correspondent extends Sender {
  /** "answered" when missing. */
  readonly role?: CorrespondentRole;
}

/** The reverse address of a correspondent at a mask. */
export interface ReverseAddress extends MaskOwner {
  readonly localPart: string;
  readonly correspondent: Sender;
  /** Whether only links in headers have led to the correspondent. */
  readonly isLink?: boolean;
}

/** The reverse addresses: one per mask and correspondent, stored so that only this server can read them. */
export interface ReverseAddresses {
  /**
   * Returns the reverse addresses of correspondents at a mask; new ones work once they are recorded. Those who get a
   * simple answer always have one; others get none once the mask has `maxUnansweredOfMask` that were never answered.
   */
  readonly prepare: (
    mask: MaskOwner,
    correspondents: readonly Correspondent[],
  ) => Promise<readonly ReverseAddress[]>;
  /** Stores new ones, and the day of the last mail, in the transaction of a mail. */
  readonly record: (db: Db, addresses: readonly ReverseAddress[]) => Promise<void>;
  /** Counts a reply to correspondents, in the transaction of the reply. */
  readonly recordReply: (db: Db, addresses: readonly ReverseAddress[]) => Promise<void>;
  /** Returns the reverse address with a local part; null when there is none. */
  readonly find: (db: Db, localPart: string) => Promise<ReverseAddress | null>;
  /** Returns the reverse address for a first mail to somebody; stores it, and it never expires. */
  readonly open: (db: Db, mask: MaskOwner, correspondent: Sender) => Promise<ReverseAddress>;
  /** Returns the id that a correspondent has in the list of their mask. */
  readonly idOf: (mask: MaskOwner, correspondent: Sender) => string;
  /** Decrypts a stored reverse address; null when it was written with another key. */
  readonly read: (mask: MaskOwner, sealed: string) => ReverseAddress | null;
  /** Drops what is cached of a mask whose correspondents were deleted. */
  readonly dropCached: (maskId: string) => void;
}

const Sealed = t.type({ localPart: t.string, name: t.string, address: t.string });

interface Known {
  readonly reverse: ReverseAddress;
  /** The stored day of the last mail; `notStored` for a new address. */
  storedDay: number;
}

const maxKnown = 50_000;
const notStored = -1;
/** The day before any other: it is stored, and its next mail is recorded. */
const longAgo = 0;

/**
 * Reverse addresses of one mask that were never answered: of each kind, links and others, as many as this. Beyond, mail
 * makes them only for those who get a simple answer, so that a stranger's lists of recipients cannot fill the store.
 */
export const maxUnansweredOfMask = 2_000;
const maxCounted = 10_000;
const maxCountedMasks = 10_000;
const recountAfterMs = hourMs;

/** An address that was never answered expires this long after the last mail that named it (D57). */
export const unusedLifetimeMs = 90 * dayMs;

/** How many addresses of a mask were never answered. */
interface Unanswered {
  links: number;
  others: number;
  readonly countedAt: number;
}

export interface ReverseAddressesDeps {
  readonly secrets: Pick<Secrets, "hashing" | "sealing">;
  readonly random: Random;
  readonly clock: Pick<Clock, "now">;
  readonly database: Database;
}

/** Stores a new address, or the time of the last mail to a known one. */
const recordMail: RowStatement = {
  columns: {
    token_hash: "text",
    user_id: "text",
    mask_id: "text",
    correspondent_hash: "text",
    sealed: "text",
    at: "bigint",
    is_link: "bigint",
  },
  text: (rows) =>
    `insert into reverse_addresses (token_hash, user_id, mask_id, correspondent_hash, sealed, created_at, last_in_at,
       last_out_at, replies, is_link)
     select given.token_hash, given.user_id, given.mask_id, given.correspondent_hash, given.sealed, given.at, given.at,
       null, 0, given.is_link
     from ${rows} where true
     on conflict (token_hash) do update
       set last_in_at = excluded.last_in_at, is_link = reverse_addresses.is_link * excluded.is_link`,
};

const openRow = (
  open: (sealed: string, context: string) => string,
  mask: MaskOwner,
  sealed: string,
): ReverseAddress | null => {
  try {
    const decoded = Sealed.decode(JSON.parse(open(sealed, `reverse ${mask.maskId}`)));
    if (decoded._tag === "Left") return null;
    const { localPart, name, address } = decoded.right;
    return { ...mask, localPart, correspondent: { name, address } };
  } catch {
    // The row was written with another key of the installation.
    return null;
  }
};

export const createReverseAddresses = ({
  secrets,
  random,
  clock,
  database: { engine },
}: ReverseAddressesDeps): ReverseAddresses => {
  const seal = createSeal(secrets.sealing, random);
  const known = new Map<string, Known>();
  const hash = (purpose: string, text: string): string =>
    createHmac("sha256", secrets.hashing).update(`reverse ${purpose}\n${text}`).digest("base64url");
  const hashOf = ({ maskId }: MaskOwner, { address }: Sender): string =>
    hash("correspondent", `${maskId}\n${mailboxKey(address)}`);
  const keyOf = ({ maskId }: MaskOwner, { address }: Sender): string => `${maskId} ${mailboxKey(address)}`;
  const today = (): number => Math.floor(clock.now() / dayMs);

  const remember = (entry: Known): ReverseAddress => {
    if (known.size >= maxKnown) known.clear();
    known.set(keyOf(entry.reverse, entry.reverse.correspondent), entry);
    return entry.reverse;
  };

  const load = async (mask: MaskOwner, hashes: readonly string[]): Promise<void> => {
    for (const hash of hashes) {
      const rows = await engine.read<{ sealed: string; last_in_at: number | null; is_link: number }>(
        "select sealed, last_in_at, is_link from reverse_addresses where mask_id = $1 and correspondent_hash = $2",
        [mask.maskId, hash],
      );
      for (const { sealed, last_in_at, is_link } of rows) {
        const reverse = openRow(seal.open, mask, sealed);
        const storedDay = last_in_at === null ? longAgo : Math.floor(last_in_at / dayMs);
        if (reverse) remember({ reverse: { ...reverse, isLink: is_link === 1 }, storedDay });
      }
    }
  };

  const unanswered = new Map<string, Unanswered>();
  const countUnanswered = async (maskId: string): Promise<Unanswered> => {
    const now = clock.now();
    const before = unanswered.get(maskId);
    if (before && now - before.countedAt < recountAfterMs) return before;
    const rows = await engine.read<{ is_link: number; count: number }>(
      `select is_link, count(*) as count from
         (select is_link from reverse_addresses where mask_id = $1 and last_out_at is null limit ${maxCounted}) as rows
       group by is_link`,
      [maskId],
    );
    const countOf = (link: number): number =>
      Number(rows.find(({ is_link }) => is_link === link)?.count ?? 0);
    const counted = { links: countOf(1), others: countOf(0), countedAt: now };
    if (unanswered.size >= maxCountedMasks) unanswered.clear();
    unanswered.set(maskId, counted);
    return counted;
  };

  /** Whether a new address may be made, which is then counted. */
  const takeRoom = async (maskId: string, role: CorrespondentRole): Promise<boolean> => {
    if (role === "answered") return true;
    const counted = await countUnanswered(maskId);
    const kind = role === "link" ? "links" : "others";
    if (counted[kind] >= maxUnansweredOfMask) return false;
    counted[kind] += 1;
    return true;
  };

  /** Returns what is known of a correspondent, who is no longer behind links only when a mail names them. */
  const findKnown = (mask: MaskOwner, correspondent: Correspondent): ReverseAddress | null => {
    const entry = known.get(keyOf(mask, correspondent));
    if (!entry) return null;
    const { reverse, storedDay } = entry;
    if (!reverse.isLink || correspondent.role === "link") return reverse;
    return remember({
      reverse: { ...reverse, isLink: false },
      storedDay: storedDay === notStored ? notStored : longAgo,
    });
  };

  const toRow = ({ localPart, correspondent, userId, maskId }: ReverseAddress, lastInAt: number | null) => {
    const { name, address } = correspondent;
    return {
      token_hash: hash("token", localPart),
      user_id: userId,
      mask_id: maskId,
      correspondent_hash: hashOf({ userId, maskId }, correspondent),
      sealed: seal.seal(JSON.stringify({ localPart, name, address }), `reverse ${maskId}`),
      created_at: clock.now(),
      last_in_at: lastInAt,
      last_out_at: null,
      replies: 0,
    };
  };

  const prepare: ReverseAddresses["prepare"] = async ({ userId, maskId }, correspondents) => {
    const mask = { userId, maskId };
    // An unconfirmed row may have been rolled back, or stored by another process.
    const unconfirmed = correspondents.filter(
      (one) => (known.get(keyOf(mask, one))?.storedDay ?? notStored) === notStored,
    );
    if (unconfirmed.length > 0)
      await load(
        mask,
        unconfirmed.map((one) => hashOf(mask, one)),
      );
    const found: ReverseAddress[] = [];
    for (const { role = "answered", ...correspondent } of correspondents) {
      const before = findKnown(mask, { ...correspondent, role });
      if (before) found.push(before);
      else if (await takeRoom(maskId, role)) {
        const localPart = newReverseLocalPart(random);
        const reverse = { ...mask, localPart, correspondent, isLink: role === "link" };
        found.push(remember({ reverse, storedDay: notStored }));
      }
    }
    return found;
  };

  return {
    prepare,
    record: async (db, addresses) => {
      const changed = new Map<string, ReverseAddress>();
      for (const reverse of addresses) {
        const entry = known.get(keyOf(reverse, reverse.correspondent));
        if (entry?.storedDay === today()) continue;
        if (entry && entry.storedDay !== notStored) entry.storedDay = today();
        changed.set(reverse.localPart, reverse);
      }
      const rows = Array.from(changed.values(), (reverse) => {
        const { token_hash, user_id, mask_id, correspondent_hash, sealed, created_at } = toRow(reverse, null);
        return [
          token_hash,
          user_id,
          mask_id,
          correspondent_hash,
          sealed,
          created_at,
          reverse.isLink === true ? 1 : 0,
        ];
      });
      await engine.runRows(
        db,
        recordMail,
        rows.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1)),
      );
    },
    recordReply: async (db, addresses) => {
      const hashes = addresses.map(({ localPart }) => hash("token", localPart));
      await db
        .updateTable("reverse_addresses")
        .set((e) => ({ last_out_at: clock.now(), replies: e("replies", "+", 1) }))
        .where("token_hash", "in", hashes)
        .execute();
    },
    find: async (db, localPart) => {
      const row = await db
        .selectFrom("reverse_addresses")
        .where("token_hash", "=", hash("token", localPart))
        .select(["user_id as userId", "mask_id as maskId", "sealed"])
        .executeTakeFirst();
      return row ? openRow(seal.open, { userId: row.userId, maskId: row.maskId }, row.sealed) : null;
    },
    open: async (db, mask, correspondent) => {
      const [reverse] = await prepare(mask, [correspondent]);
      if (!reverse) throw new Error("no reverse address was prepared");
      await db
        .insertInto("reverse_addresses")
        .values({ ...toRow(reverse, null), is_opened: 1 })
        .onConflict((conflict) => conflict.column("token_hash").doUpdateSet({ is_opened: 1 }))
        .execute();
      return reverse;
    },
    idOf: hashOf,
    read: (mask, sealed) => openRow(seal.open, mask, sealed),
    dropCached: (maskId) => {
      for (const [key, { reverse }] of known) if (reverse.maskId === maskId) known.delete(key);
    },
  };
};

/** Deleted in one run, so that no transaction takes long; the next run deletes more. */
const maxDeletedAtOnce = 10_000;

/** Deletes the addresses that were never answered and that no mail has named for `unusedLifetimeMs`. */
export const pruneReverseAddresses = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("reverse_addresses")
    .where("token_hash", "in", (rows) =>
      rows
        .selectFrom("reverse_addresses")
        .select("token_hash")
        .where("last_out_at", "is", null)
        .where("is_opened", "=", 0)
        .where("last_in_at", "<", now - unusedLifetimeMs)
        .limit(maxDeletedAtOnce),
    )
    .execute();
};
