import { type Selectable, sql } from "kysely";
import type { Correspondent } from "../../../core/correspondents/correspondentEndpoints.ts";
import { domainOf, localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { appendEvent, type EventFeed } from "../../platform/store/events.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { recordSendersChange } from "../maskEvents.ts";
import { getMask } from "../masks/maskQueries.ts";
import { namesOf } from "../senders/senderLists.ts";
import { parseReverseLocalPart } from "./reverseAddress.ts";
import type { MaskOwner, ReverseAddress, ReverseAddresses } from "./reverseAddresses.ts";
import type { ReverseAddressesTable } from "./tables.ts";

/** The senders that a mask refuses. */
export interface BlockedSenders {
  readonly add: (db: Db, mask: MaskOwner, list: "block", sender: string, now: number) => Promise<void>;
  readonly read: (db: Db, mask: MaskOwner) => Promise<{ readonly block: readonly string[] }>;
  readonly remove: (db: Db, mask: MaskOwner, sender: string) => Promise<boolean>;
}

export interface CorrespondentsDeps {
  readonly database: Database;
  readonly reverseAddresses: ReverseAddresses;
  readonly senderLists: BlockedSenders;
  readonly maskDomain: string;
  readonly clock: Pick<Clock, "now">;
  readonly feed: Pick<EventFeed, "wake">;
}

/** The correspondents of a user's masks. Each rejects with 404 for another user's mask. */
export interface UserCorrespondents {
  readonly list: (
    mask: MaskOwner,
  ) => Promise<{ readonly correspondents: readonly Correspondent[]; readonly more: boolean }>;
  readonly add: (
    mask: MaskOwner,
    address: string,
    recordAnswer: RecordAnswer<Correspondent>,
  ) => Promise<Correspondent>;
  /** Puts a correspondent on the mask's list of blocked senders, or takes them off; rejects with 404 like `forget`. */
  readonly setBlocked: (
    mask: MaskOwner,
    change: { readonly id: string; readonly isBlocked: boolean },
    recordAnswer: RecordAnswer<Correspondent>,
  ) => Promise<Correspondent>;
  /** Rejects with 404 when the mask has no such correspondent. */
  readonly forget: (mask: MaskOwner, id: string, recordAnswer: RecordAnswer<void>) => Promise<void>;
}

/** The resource of the event when correspondents of a mask were deleted. */
export const correspondentsResource = "correspondents";

const maxListed = 500;
/** Reverse addresses of one mask; further ones are made only by mail that arrives. */
const maxOfMask = 10_000;

type Row = Selectable<ReverseAddressesTable>;

const isoDate = (at: number | null): string | null =>
  at === null ? null : new Date(Number(at)).toISOString();

const findRows = (db: Db, { userId, maskId }: MaskOwner) =>
  db.selectFrom("reverse_addresses").where("user_id", "=", userId).where("mask_id", "=", maskId);

/** Orders by the last mail in either direction; without those whom only links lead to and nobody has written to. */
const findLatest = (db: Db, mask: MaskOwner): Promise<Row[]> =>
  findRows(db, mask)
    .where((e) => e.or([e("is_link", "=", 0), e("is_opened", "=", 1), e("last_out_at", "is not", null)]))
    .selectAll()
    .orderBy(
      sql`case when coalesce(last_out_at, 0) > coalesce(last_in_at, created_at) then last_out_at
        else coalesce(last_in_at, created_at) end`,
      "desc",
    )
    .limit(maxListed + 1)
    .execute();

/** Two processes may have stored a correspondent twice; both addresses work, and one is shown. */
const uniqueRows = (rows: readonly Row[]): readonly Row[] =>
  [...new Map(rows.toReversed().map((row) => [row.correspondent_hash, row])).values()].reverse();

const noCorrespondent = (): UseCaseError =>
  new UseCaseError("missing", "This correspondent is forgotten already.");

/** Creates the use cases of correspondents. */
export const createUserCorrespondents = (deps: CorrespondentsDeps): UserCorrespondents => {
  const { database, reverseAddresses, senderLists, maskDomain, clock, feed } = deps;
  const { db } = database;

  const checkOwner = async (db: Db, { userId, maskId }: MaskOwner): Promise<string> => {
    const { email } = await getMask(db, userId, maskId);
    return email;
  };

  const toCorrespondent = (
    { localPart, correspondent, ...mask }: ReverseAddress,
    row: Pick<Row, "created_at" | "last_in_at" | "last_out_at">,
    blocked: ReadonlySet<string>,
  ): Correspondent => {
    const [key = "", ...domains] = namesOf(correspondent.address);
    const blockedDomain = domains.find((domain) => blocked.has(domain));
    return {
      id: reverseAddresses.idOf(mask, correspondent),
      name: correspondent.name,
      address: correspondent.address,
      reverseAddress: `${localPart}@${maskDomain}`,
      created: new Date(Number(row.created_at)).toISOString(),
      lastReceived: isoDate(row.last_in_at),
      lastSent: isoDate(row.last_out_at),
      blocked: blocked.has(key),
      ...(blockedDomain !== undefined && { blockedDomain }),
    };
  };

  const readBlocked = async (db: Db, mask: MaskOwner): Promise<ReadonlySet<string>> =>
    new Set((await senderLists.read(db, mask)).block.map(mailboxKey));

  const checkAddress = (address: string, maskEmail: string): void => {
    const isReverse =
      domainOf(address).toLowerCase() === maskDomain && parseReverseLocalPart(localPartOf(address)) !== null;
    if (isReverse)
      throw fieldError("invalid", "address", "This is a reverse address already. Write to it as it is.");
    if (mailboxKey(address) === mailboxKey(maskEmail))
      throw fieldError("invalid", "address", "This is the mask itself. Enter the address of somebody else.");
  };

  return {
    list: async (mask) => {
      await checkOwner(db, mask);
      const rows = await findLatest(db, mask);
      const blocked = await readBlocked(db, mask);
      return {
        correspondents: uniqueRows(rows.slice(0, maxListed)).flatMap((row) => {
          const reverse = reverseAddresses.read(mask, row.sealed);
          return reverse ? [toCorrespondent(reverse, row, blocked)] : [];
        }),
        more: rows.length > maxListed,
      };
    },
    add: (mask, address, recordAnswer) =>
      database.transaction(async (tx) => {
        checkAddress(address, await checkOwner(tx, mask));
        const correspondent = { name: "", address };
        const id = reverseAddresses.idOf(mask, correspondent);
        const find = () =>
          findRows(tx, mask).where("correspondent_hash", "=", id).selectAll().executeTakeFirst();
        if (!(await find())) {
          const { count } = await findRows(tx, mask)
            .select(({ fn }) => fn.countAll<number>().as("count"))
            .executeTakeFirstOrThrow();
          if (Number(count) >= maxOfMask)
            throw new UseCaseError(
              "conflict",
              "This mask has too many correspondents. Forget some of them first.",
            );
        }
        const reverse = await reverseAddresses.open(tx, mask, correspondent);
        const row = await find();
        if (!row) throw new Error("the reverse address cannot be read");
        return recordAnswer(tx, toCorrespondent(reverse, row, await readBlocked(tx, mask)));
      }),
    setBlocked: async (mask, { id, isBlocked }, recordAnswer) => {
      const changed = await database.transaction(async (tx) => {
        await checkOwner(tx, mask);
        const row = await findRows(tx, mask)
          .where("correspondent_hash", "=", id)
          .selectAll()
          .executeTakeFirst();
        const reverse = row && reverseAddresses.read(mask, row.sealed);
        if (!row || !reverse) throw noCorrespondent();
        const { address } = reverse.correspondent;
        const before = await readBlocked(tx, mask);
        if (isBlocked) await senderLists.add(tx, mask, "block", address, clock.now());
        else if (before.has(mailboxKey(address))) await senderLists.remove(tx, mask, address);
        await recordSendersChange(tx, mask, clock.now());
        return recordAnswer(tx, toCorrespondent(reverse, row, await readBlocked(tx, mask)));
      });
      feed.wake();
      return changed;
    },
    forget: async (mask, id, recordAnswer) => {
      const { userId, maskId: resourceId } = mask;
      await database.transaction(async (tx) => {
        await checkOwner(tx, mask);
        const { numDeletedRows } = await tx
          .deleteFrom("reverse_addresses")
          .where("user_id", "=", userId)
          .where("mask_id", "=", resourceId)
          .where("correspondent_hash", "=", id)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw noCorrespondent();
        const change = { resource: correspondentsResource, resourceId, action: "deleted" };
        await appendEvent(tx, { userId, ...change }, clock.now());
        await recordAnswer(tx);
      });
      reverseAddresses.dropCached(resourceId);
      feed.wake();
    },
  };
};
