import { type Selectable, sql } from "kysely";
import type { Correspondent } from "../../../core/correspondents/correspondentEndpoints.ts";
import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { type ListPage, pageOf } from "../../platform/answers/listPage.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent, everyProcess } from "../../platform/store/events.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { recordSendersChange } from "../maskChanges/maskChanges.ts";
import { getMask } from "../masks/maskQueries.ts";
import { namesOf } from "../senders/senderLists.ts";
import type { ReverseAddressesTable } from "./correspondentTables.ts";
import { parseReverseLocalPart } from "./reverseAddress.ts";
import { type MaskOwner, maxOfMask, type ReverseAddress, type ReverseAddresses } from "./reverseAddresses.ts";

type CorrespondentsDeps = Pick<ServerContext, "database" | "senderLists" | "config" | "clock" | "feed">;

/** The correspondents of a user's masks. Each rejects with 404 for another user's mask. */
export interface UserCorrespondents {
  readonly list: (
    mask: MaskOwner,
    page: ListPage,
  ) => Promise<{ readonly correspondents: readonly Correspondent[]; readonly more: boolean }>;
  /** Returns one correspondent; rejects with 404 like `forget`. */
  readonly get: (mask: MaskOwner, id: string) => Promise<Correspondent>;
  readonly add: (
    mask: MaskOwner,
    correspondent: Sender,
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
/** Rows that are read for a page; mail may have made more than the owner can. */
const maxRead = 50_000;

type Row = Selectable<ReverseAddressesTable>;

const isoDate = (at: number | null): string | null =>
  at === null ? null : new Date(Number(at)).toISOString();

const findRows = (db: Db, { userId, maskId }: MaskOwner) =>
  db.selectFrom("reverse_addresses").where("user_id", "=", userId).where("mask_id", "=", maskId);

/** Orders by the last mail in either direction; without those whom only links lead to and nobody has written to. */
const findLatest = (db: Db, mask: MaskOwner, most: number): Promise<Row[]> =>
  findRows(db, mask)
    .where((e) => e.or([e("is_link", "=", 0), e("is_opened", "=", 1), e("last_out_at", "is not", null)]))
    .selectAll()
    .orderBy(
      sql`case when coalesce(last_out_at, 0) > coalesce(last_in_at, created_at) then last_out_at
        else coalesce(last_in_at, created_at) end`,
      "desc",
    )
    .orderBy("token_hash")
    .limit(most)
    .execute();

/** Two processes may have stored a correspondent twice; both addresses work, and one is shown. */
const uniqueRows = (rows: readonly Row[]): readonly Row[] =>
  [...new Map(rows.toReversed().map((row) => [row.correspondent_hash, row])).values()].reverse();

const noCorrespondent = (): UseCaseError =>
  new UseCaseError("missing", "This correspondent is forgotten already.");

/** Throws for an address that leads back to the mask. */
const assertForeign = (address: string, maskEmail: string, maskDomain: DomainName): void => {
  const isReverse = isAtDomain(address, maskDomain) && parseReverseLocalPart(localPartOf(address)) !== null;
  if (isReverse)
    throw fieldError("invalid", "address", "This is a reverse address already. Write to it as it is.");
  if (isSameMailbox(address, maskEmail))
    throw fieldError("invalid", "address", "This is the mask itself. Enter the address of somebody else.");
};

/** Throws when a mask has so many correspondents that it gets no further one. */
const assertHasRoom = async (db: Db, mask: MaskOwner): Promise<void> => {
  const { count } = await findRows(db, mask)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxOfMask)
    throw new UseCaseError("conflict", "This mask has too many correspondents. Forget some of them first.");
};

const findRow = (db: Db, mask: MaskOwner, id: string): Promise<Row | undefined> =>
  findRows(db, mask).where("correspondent_hash", "=", id).selectAll().executeTakeFirst();

const forgetRow = async (db: Db, { userId, maskId }: MaskOwner, id: string, now: number): Promise<void> => {
  const { numDeletedRows } = await db
    .deleteFrom("reverse_addresses")
    .where("user_id", "=", userId)
    .where("mask_id", "=", maskId)
    .where("correspondent_hash", "=", id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw noCorrespondent();
  const change = { resource: correspondentsResource, resourceId: maskId, action: "deleted" };
  await appendEvent(db, { userId: everyProcess, ...change }, now);
};

/** Creates the use cases of correspondents. */
export const createUserCorrespondents = (
  { database, senderLists, config: { maskDomain }, clock, feed }: CorrespondentsDeps,
  reverseAddresses: ReverseAddresses,
): UserCorrespondents => {
  const { db } = database;

  const toCorrespondent = (
    { localPart, correspondent, ...mask }: ReverseAddress,
    row: Pick<Row, "created_at" | "last_in_at" | "last_out_at">,
    blocked: ReadonlySet<string>,
  ): Correspondent => {
    const [key = "", ...domains] = namesOf(correspondent.address);
    const blockedDomain = domains.find((domain) => !domain.includes("@") && blocked.has(domain));
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

  const readBlocked = async (tx: Db, mask: MaskOwner): Promise<ReadonlySet<string>> =>
    new Set((await senderLists.read(tx, mask)).block.map(mailboxKey));

  return {
    list: async (mask, { limit = maxListed, after }) => {
      await getMask(db, mask.userId, mask.maskId);
      const isBeginning = after === undefined;
      const rows = uniqueRows(await findLatest(db, mask, isBeginning ? 2 * (limit + 1) : maxRead));
      const { page, isMore } = pageOf(
        rows,
        { limit, after },
        { idOf: (row) => row.correspondent_hash, what: "correspondent" },
      );
      const blocked = await readBlocked(db, mask);
      return {
        correspondents: page.flatMap((row) => {
          const reverse = reverseAddresses.read(mask, row.sealed);
          return reverse ? [toCorrespondent(reverse, row, blocked)] : [];
        }),
        more: isMore,
      };
    },
    get: async (mask, id) => {
      await getMask(db, mask.userId, mask.maskId);
      const row = await findRow(db, mask, id);
      const reverse = row && reverseAddresses.read(mask, row.sealed);
      if (!row || !reverse) throw noCorrespondent();
      return toCorrespondent(reverse, row, await readBlocked(db, mask));
    },
    add: (mask, correspondent, recordAnswer) =>
      database.transaction(async (tx) => {
        const { email } = await getMask(tx, mask.userId, mask.maskId);
        assertForeign(correspondent.address, email, maskDomain);
        const id = reverseAddresses.idOf(mask, correspondent);
        if (!(await findRow(tx, mask, id))) await assertHasRoom(tx, mask);
        const reverse = await reverseAddresses.open(tx, mask, correspondent);
        const row = await findRow(tx, mask, id);
        if (!row) throw new Error("the reverse address cannot be read");
        return recordAnswer(tx, toCorrespondent(reverse, row, await readBlocked(tx, mask)));
      }),
    setBlocked: async (mask, { id, isBlocked }, recordAnswer) => {
      const changed = await database.transaction(async (tx) => {
        await getMask(tx, mask.userId, mask.maskId);
        const row = await findRow(tx, mask, id);
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
      await database.transaction(async (tx) => {
        await getMask(tx, mask.userId, mask.maskId);
        await forgetRow(tx, mask, id, clock.now());
        await recordAnswer(tx);
      });
      reverseAddresses.dropCached(mask.maskId);
      feed.wake();
    },
  };
};
