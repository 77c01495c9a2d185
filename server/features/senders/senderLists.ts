import { domainToUnicode } from "node:url";
import { withoutFinalDot } from "../../../core/mail/answerableAddress.ts";
import { toDomainName } from "../../../core/mail/domainName.ts";
import { domainOf, localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { maxListedSenders, type SenderList, type SendersEdit } from "../../../core/senders/maskSenders.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import type { KeyedHash } from "../../platform/ops/keyedHash.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Db } from "../../platform/store/database.ts";

/** The senders that a mask always accepts, and those that it refuses: addresses and domains. */
export type ListedSenders = Readonly<Record<SenderList, readonly string[]>>;

/** The addresses of a mail's sender; empty where there is none. */
export interface ListedSender {
  readonly from: string;
  readonly envelope: string;
  /** True if the address in From is proven; a mask that is locked to it takes no other mail from it. */
  readonly isProven: boolean;
}

export interface MaskOfUser {
  readonly userId: string;
  readonly maskId: string;
}

interface ListEntry {
  readonly list: SenderList;
  readonly sender: string;
  readonly mustBeProven: boolean | null;
}

/** The lists of a mask as `selectAnyMasks` reads them: "allow SEALED,block SEALED"; null when they are empty. */
interface StoredLists {
  readonly id: string;
  readonly senders: string | null;
}

/** A domain as it came, in ASCII, and in its own script: it may stand on a list in each of them. */
const writingsOf = (domain: string): readonly string[] => {
  const name = toDomainName(domain);
  return name === null ? [domain] : [...new Set([domain, name, domainToUnicode(name)])];
};

const andAbove = (domain: string): readonly string[] => {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, n) => labels.slice(n).join("."));
};

/** An address itself, its domain, and the domains above that down to two labels, in each script; none for no address. */
export const namesOf = (address: string): readonly string[] => {
  if (!address.includes("@")) return [];
  const key = withoutFinalDot(mailboxKey(address));
  const domains = writingsOf(domainOf(key));
  return [...domains.map((domain) => `${localPartOf(key)}@${domain}`), ...domains.flatMap(andAbove)];
};

const contextOf = (maskId: string): string => `sender of mask ${maskId}`;

const sendersOf = (db: Db, { userId, maskId }: MaskOfUser) =>
  db.selectFrom("mask_senders").where("mask_id", "=", maskId).where("user_id", "=", userId);

const lists = ["allow", "block"] as const satisfies readonly SenderList[];

/**
 * Keeps the allowed and blocked senders of masks in the database, each with a hash to be found by and a sealed name to
 * be shown by: a copy of the database names none of them.
 */
export class SenderLists {
  readonly #hash: KeyedHash;
  readonly #seal: Seal;

  constructor(hash: KeyedHash, seal: Seal) {
    this.#hash = hash;
    this.#seal = seal;
  }

  /**
   * Returns "block" when an address of the sender or its domain is blocked, "allow" when that in From is allowed;
   * null otherwise.
   */
  async find(db: Db, maskId: string, { from, envelope, isProven }: ListedSender): Promise<SenderList | null> {
    const allowing = new Set(namesOf(from).map((name) => this.#hashOf(maskId, name)));
    const hashes = [...allowing, ...namesOf(envelope).map((name) => this.#hashOf(maskId, name))];
    if (hashes.length === 0) return null;
    const found = await db
      .selectFrom("mask_senders")
      .where("mask_id", "=", maskId)
      .where("sender_hash", "in", hashes)
      .select(["list", "sender_hash as hash", "must_be_proven as mustBeProven"])
      .execute();
    if (found.some(({ list }) => list === "block")) return "block";
    return found.some(({ hash, mustBeProven }) => allowing.has(hash) && (isProven || mustBeProven === 0))
      ? "allow"
      : null;
  }

  /** Puts a sender on a list, and removes it from the other. */
  add(db: Db, mask: MaskOfUser, list: SenderList, sender: string, now: number): Promise<void> {
    return this.#insert(db, mask, { list, sender, mustBeProven: false }, now);
  }

  /** Allows the sender that a mask is locked to, for proven mail only; an owner who allows it again waives that. */
  lockTo(db: Db, mask: MaskOfUser, sender: string, now: number): Promise<void> {
    return this.#insert(db, mask, { list: "allow", sender, mustBeProven: true }, now);
  }

  /** Replaces the lists that are given. Throws a 400 when both would be too long. */
  async replace(db: Db, mask: MaskOfUser, edit: Pick<SendersEdit, SenderList>, now: number): Promise<void> {
    for (const list of lists) if (edit[list]) await this.#replaceList(db, mask, list, edit[list], now);
    const { count } = await sendersOf(db, mask)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (Number(count) > maxListedSenders)
      throw fieldError("invalid", "senders", `A mask can list at most ${maxListedSenders} senders`);
  }

  /** Decrypts the lists of a mask, oldest first; without senders that were stored with another key. */
  open({ id, senders }: StoredLists): ListedSenders {
    const rows = (senders?.split(",") ?? []).map((entry) => {
      const [list = "", sealed = ""] = entry.split(" ");
      return { list, sealed };
    });
    return this.#openLists(id, rows);
  }

  /** Returns the lists of a user's mask, oldest first. */
  async read(db: Db, mask: MaskOfUser): Promise<ListedSenders> {
    const rows = await sendersOf(db, mask).orderBy("created_at").select(["list", "sealed"]).execute();
    return this.#openLists(mask.maskId, rows);
  }

  /** Removes a sender from its list; false when it was on none. */
  async remove(db: Db, { userId, maskId }: MaskOfUser, sender: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom("mask_senders")
      .where("mask_id", "=", maskId)
      .where("user_id", "=", userId)
      .where("sender_hash", "=", this.#hashOf(maskId, sender))
      .executeTakeFirst();
    return numDeletedRows === 1n;
  }

  #hashOf(maskId: string, name: string): string {
    return this.#hash("listed-sender", maskId, mailboxKey(name));
  }

  #openOne(maskId: string, sealed: string): readonly string[] {
    try {
      return [this.#seal.open(sealed, contextOf(maskId))];
    } catch {
      return [];
    }
  }

  #openLists(
    maskId: string,
    rows: readonly { readonly list: string; readonly sealed: string }[],
  ): ListedSenders {
    const of = (list: SenderList): readonly string[] =>
      rows.filter((row) => row.list === list).flatMap(({ sealed }) => this.#openOne(maskId, sealed));
    return { allow: of("allow"), block: of("block") };
  }

  /** `mustBeProven` is null where what is stored about a listed sender stays. */
  async #insert(
    db: Db,
    { userId, maskId }: MaskOfUser,
    { list, sender, mustBeProven }: ListEntry,
    now: number,
  ): Promise<void> {
    const proof = mustBeProven === null ? {} : { must_be_proven: mustBeProven ? 1 : 0 };
    await db
      .insertInto("mask_senders")
      .values({
        mask_id: maskId,
        sender_hash: this.#hashOf(maskId, sender),
        user_id: userId,
        list,
        sealed: this.#seal.seal(sender, contextOf(maskId)),
        created_at: now,
        ...proof,
      })
      .onConflict((conflict) => conflict.columns(["mask_id", "sender_hash"]).doUpdateSet({ list, ...proof }))
      .execute();
  }

  async #replaceList(
    db: Db,
    mask: MaskOfUser,
    list: SenderList,
    senders: readonly string[],
    now: number,
  ): Promise<void> {
    const hashes = senders.map((sender) => this.#hashOf(mask.maskId, sender));
    await db
      .deleteFrom("mask_senders")
      .where("mask_id", "=", mask.maskId)
      .where("user_id", "=", mask.userId)
      .where("list", "=", list)
      .$if(hashes.length > 0, (rows) => rows.where("sender_hash", "not in", hashes))
      .execute();
    // The order of the list is that of the times.
    for (const [n, sender] of senders.entries())
      await this.#insert(db, mask, { list, sender, mustBeProven: null }, now + n);
  }
}

declare module "../../context/serverContext.ts" {
  interface ServerContext {
    readonly senderLists: SenderLists;
  }
}
