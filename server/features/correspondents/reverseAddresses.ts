import { createHmac } from "node:crypto";
import * as t from "io-ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { createSeal, type Seal, type Secrets } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";
import type { Engine, RowStatement } from "../../platform/store/engine.ts";
import { newReverseLocalPart } from "./reverseAddress.ts";
import { UnansweredAddresses } from "./unansweredAddresses.ts";

/** A mask and its owner. */
export interface MaskOwner {
  readonly userId: string;
  readonly maskId: string;
}

/**
 * The reason for which a mail leads to somebody: they get a simple answer to it, a link in its header leads to them, or they are
 * named beside others.
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
  /** True if only links in headers have led to the correspondent. */
  readonly isLink?: boolean;
}

const Sealed = t.type({ localPart: t.string, name: t.string, address: t.string });

interface Known {
  readonly reverse: ReverseAddress;
  /** The stored day of the last mail; `notStored` for a new address. */
  storedDay: number;
}

const maxKnown = 50_000;
/** Correspondents of one mask by whose names a reply is searched. */
const maxShown = 500;
/** Reverse addresses of one mask; its owner makes no further ones, only mail that arrives does. */
export const maxOfMask = 10_000;
const notStored = -1;
/** The day before any other: it is stored, and its next mail is recorded. */
const longAgo = 0;

/** An address that was never answered expires this long after the last mail that named it (D57). */
export const unusedLifetimeMs = 90 * dayMs;

export interface ReverseAddressesDeps extends Pick<ServerContext, "random" | "database"> {
  readonly secrets: Pick<Secrets, "hashing" | "sealing">;
  readonly clock: Pick<Clock, "now">;
}

/** An address, and when a mail or a reply used it. */
const addressColumns = {
  token_hash: "text",
  user_id: "text",
  mask_id: "text",
  correspondent_hash: "text",
  sealed: "text",
  at: "bigint",
} as const;

/** Stores a new address, or the time of the last mail to a known one. */
const recordMail: RowStatement = {
  columns: { ...addressColumns, is_link: "bigint" },
  text: (rows) =>
    `insert into reverse_addresses (token_hash, user_id, mask_id, correspondent_hash, sealed, created_at, last_in_at,
       last_out_at, replies, is_link)
     select given.token_hash, given.user_id, given.mask_id, given.correspondent_hash, given.sealed, given.at, given.at,
       null, 0, given.is_link
     from ${rows} where true
     on conflict (token_hash) do update
       set last_in_at = excluded.last_in_at, is_link = reverse_addresses.is_link * excluded.is_link`,
};

/** Stores a new address, or counts replies to a known one. */
const recordReplies: RowStatement = {
  columns: { ...addressColumns, replies: "bigint" },
  text: (rows) =>
    `insert into reverse_addresses (token_hash, user_id, mask_id, correspondent_hash, sealed, created_at, last_in_at,
       last_out_at, replies, is_opened)
     select given.token_hash, given.user_id, given.mask_id, given.correspondent_hash, given.sealed, given.at, null,
       given.at, given.replies, 1
     from ${rows} where true
     on conflict (token_hash) do update
       set last_out_at = excluded.last_out_at, replies = reverse_addresses.replies + excluded.replies, is_opened = 1`,
};

const keyOf = ({ maskId }: MaskOwner, { address }: Sender): string => `${maskId} ${mailboxKey(address)}`;

const sealContext = ({ maskId }: MaskOwner): string => `reverse ${maskId}`;

/**
 * Keeps the reverse addresses, one per mask and correspondent, in the database so that only this server can read them,
 * and those that mail has named lately in memory.
 */
export class ReverseAddresses {
  readonly #engine: Engine;
  readonly #random: Random;
  readonly #clock: Pick<Clock, "now">;
  readonly #hashKey: Uint8Array;
  readonly #seal: Seal;
  readonly #unanswered: UnansweredAddresses;
  readonly #known = new Map<string, Known>();

  constructor({ secrets, random, clock, database: { engine } }: ReverseAddressesDeps) {
    this.#engine = engine;
    this.#random = random;
    this.#clock = clock;
    this.#hashKey = secrets.hashing;
    this.#seal = createSeal(secrets.sealing, random);
    this.#unanswered = new UnansweredAddresses(engine, clock);
  }

  /**
   * Returns the reverse addresses of correspondents at a mask; new ones work once they are recorded. Those who get a
   * simple answer always have one; others get none once the mask has `maxUnansweredOfMask` that were never answered.
   */
  async prepare(
    { userId, maskId }: MaskOwner,
    correspondents: readonly Correspondent[],
  ): Promise<readonly ReverseAddress[]> {
    const mask = { userId, maskId };
    // An unconfirmed row may have been rolled back, or stored by another process.
    const unconfirmed = correspondents.filter(
      (one) => (this.#known.get(keyOf(mask, one))?.storedDay ?? notStored) === notStored,
    );
    await Promise.all(unconfirmed.map((one) => this.#load(mask, one)));
    const found: ReverseAddress[] = [];
    for (const { role = "answered", ...correspondent } of correspondents) {
      const before = this.#findKnown(mask, { ...correspondent, role });
      if (before) found.push(before);
      else if (await this.#mayMake(maskId, role)) {
        const localPart = newReverseLocalPart(this.#random);
        const reverse = { ...mask, localPart, correspondent, isLink: role === "link" };
        found.push(this.#remember({ reverse, storedDay: notStored }));
      }
    }
    return found;
  }

  /** Returns whether a mask may have those of some prepared ones that are new: its owner makes at most `maxOfMask`. */
  async hasRoom({ userId, maskId }: MaskOwner, prepared: readonly ReverseAddress[]): Promise<boolean> {
    const added = prepared.filter(
      (one) => (this.#known.get(keyOf(one, one.correspondent))?.storedDay ?? notStored) === notStored,
    ).length;
    if (added === 0) return true;
    const [row] = await this.#engine.read<{ readonly count: number }>(
      "select count(*) as count from reverse_addresses where mask_id = $1 and user_id = $2",
      [maskId, userId],
    );
    return Number(row?.count ?? 0) + added <= maxOfMask;
  }

  /** Stores new ones, and the day of the last mail, in the transaction of a mail. */
  async record(db: Db, addresses: readonly ReverseAddress[]): Promise<void> {
    const today = Math.floor(this.#clock.now() / dayMs);
    const changed = new Map<string, ReverseAddress>();
    for (const reverse of addresses) {
      const entry = this.#known.get(keyOf(reverse, reverse.correspondent));
      if (entry?.storedDay === today) continue;
      if (entry && entry.storedDay !== notStored) entry.storedDay = today;
      changed.set(reverse.localPart, reverse);
    }
    const rows = Array.from(changed.values(), (reverse) => {
      const { token_hash, user_id, mask_id, correspondent_hash, sealed, created_at } = this.#toRow(reverse);
      const isLink = reverse.isLink === true ? 1 : 0;
      return [token_hash, user_id, mask_id, correspondent_hash, sealed, created_at, isLink];
    });
    const ordered = rows.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1));
    await this.#engine.runRows(db, recordMail, ordered);
  }

  /** Stores the addresses that replies have gone to, and counts the replies, in their transaction; they never expire. */
  async recordReply(db: Db, addresses: readonly ReverseAddress[]): Promise<void> {
    const rows = [...Map.groupBy(addresses, ({ localPart }) => localPart).values()].flatMap((same) => {
      const [reverse] = same;
      if (!reverse) return [];
      const { token_hash, user_id, mask_id, correspondent_hash, sealed, created_at } = this.#toRow(reverse);
      return [[token_hash, user_id, mask_id, correspondent_hash, sealed, created_at, same.length]];
    });
    const ordered = rows.toSorted(([one = ""], [other = ""]) => (one < other ? -1 : 1));
    await this.#engine.runRows(db, recordReplies, ordered);
  }

  /** Returns the reverse address with a local part; null when there is none. */
  async find(localPart: string): Promise<ReverseAddress | null> {
    const [row] = await this.#engine.read<MaskOwner & { readonly sealed: string }>(
      `select user_id as "userId", mask_id as "maskId", sealed from reverse_addresses where token_hash = $1`,
      [this.#hash("token", localPart)],
    );
    return row ? this.read({ userId: row.userId, maskId: row.maskId }, row.sealed) : null;
  }

  /** Returns the reverse addresses at a mask whose correspondents mail has named, the latest `maxShown`. */
  async listShown({ userId, maskId }: MaskOwner): Promise<readonly ReverseAddress[]> {
    const rows = await this.#engine.read<{ readonly sealed: string }>(
      `select sealed from reverse_addresses where mask_id = $1 and user_id = $2 and is_link = 0
       order by coalesce(last_out_at, last_in_at, created_at) desc limit ${maxShown}`,
      [maskId, userId],
    );
    return rows.flatMap(({ sealed }) => this.read({ userId, maskId }, sealed) ?? []);
  }

  /** Returns the reverse address for a first mail to somebody; stores it, and it never expires. */
  async open(db: Db, mask: MaskOwner, correspondent: Sender): Promise<ReverseAddress> {
    const [reverse] = await this.prepare(mask, [correspondent]);
    if (!reverse) throw new Error("no reverse address was prepared");
    await db
      .insertInto("reverse_addresses")
      .values({ ...this.#toRow(reverse), is_opened: 1 })
      .onConflict((conflict) => conflict.column("token_hash").doUpdateSet({ is_opened: 1 }))
      .execute();
    return reverse;
  }

  /** Returns the id that a correspondent has in the list of their mask. */
  idOf({ maskId }: MaskOwner, { address }: Sender): string {
    return this.#hash("correspondent", `${maskId}\n${mailboxKey(address)}`);
  }

  /** Decrypts a stored reverse address; null when it was written with another key. */
  read(mask: MaskOwner, sealed: string): ReverseAddress | null {
    try {
      const decoded = Sealed.decode(JSON.parse(this.#seal.open(sealed, sealContext(mask))));
      if (decoded._tag === "Left") return null;
      const { localPart, name, address } = decoded.right;
      return { ...mask, localPart, correspondent: { name, address } };
    } catch {
      // The row was written with another key of the installation.
      return null;
    }
  }

  /** Drops what is cached of a mask whose correspondents were deleted. */
  dropCached(maskId: string): void {
    for (const [key, { reverse }] of this.#known) if (reverse.maskId === maskId) this.#known.delete(key);
  }

  #hash(purpose: string, text: string): string {
    return createHmac("sha256", this.#hashKey).update(`reverse ${purpose}\n${text}`).digest("base64url");
  }

  #remember(entry: Known): ReverseAddress {
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(keyOf(entry.reverse, entry.reverse.correspondent), entry);
    return entry.reverse;
  }

  async #load(mask: MaskOwner, correspondent: Sender): Promise<void> {
    const rows = await this.#engine.read<{ sealed: string; last_in_at: number | null; is_link: number }>(
      "select sealed, last_in_at, is_link from reverse_addresses where mask_id = $1 and correspondent_hash = $2",
      [mask.maskId, this.idOf(mask, correspondent)],
    );
    for (const { sealed, last_in_at, is_link } of rows) {
      const reverse = this.read(mask, sealed);
      const storedDay = last_in_at === null ? longAgo : Math.floor(last_in_at / dayMs);
      if (reverse) this.#remember({ reverse: { ...reverse, isLink: is_link === 1 }, storedDay });
    }
  }

  /** Returns what is known of a correspondent, who is no longer behind links only when a mail names them. */
  #findKnown(mask: MaskOwner, correspondent: Correspondent): ReverseAddress | null {
    const entry = this.#known.get(keyOf(mask, correspondent));
    if (!entry) return null;
    const { reverse, storedDay } = entry;
    if (!reverse.isLink || correspondent.role === "link") return reverse;
    return this.#remember({
      reverse: { ...reverse, isLink: false },
      storedDay: storedDay === notStored ? notStored : longAgo,
    });
  }

  async #mayMake(maskId: string, role: CorrespondentRole): Promise<boolean> {
    return role === "answered" || this.#unanswered.takeRoom(maskId, role === "link" ? "links" : "others");
  }

  #toRow({ localPart, correspondent, userId, maskId }: ReverseAddress) {
    const mask = { userId, maskId };
    const { name, address } = correspondent;
    return {
      token_hash: this.#hash("token", localPart),
      user_id: userId,
      mask_id: maskId,
      correspondent_hash: this.idOf(mask, correspondent),
      sealed: this.#seal.seal(JSON.stringify({ localPart, name, address }), sealContext(mask)),
      created_at: this.#clock.now(),
      last_in_at: null,
      last_out_at: null,
      replies: 0,
    };
  }
}

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
