import { type Selectable, sql } from "kysely";
import type { Correspondent } from "../../../core/correspondents/correspondentEndpoints.ts";
import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { localPartOf, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Sender } from "../../../core/mail/forwardedFrom.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { type ListPage, pageOf } from "../../platform/answers/listPage.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Db } from "../../platform/store/database.ts";
import { appendEvent, everyProcess } from "../../platform/store/events.ts";
import { recordSendersChange } from "../maskChanges/maskChanges.ts";
import { getMask } from "../masks/maskQueries.ts";
import { namesOf } from "../senders/senderLists.ts";
import type { ReverseAddressesTable } from "./correspondentTables.ts";
import { parseReverseLocalPart } from "./reverseAddress.ts";
import { type MaskOwner, maxOfMask, type ReverseAddress, type ReverseAddresses } from "./reverseAddresses.ts";

/** The dependencies of the use cases of correspondents. */
export interface CorrespondentsContext extends Pick<ServerContext, "senderLists" | "config" | "clock"> {
  readonly reverseAddresses: ReverseAddresses;
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

const toCorrespondent = (
  { reverseAddresses, config: { maskDomain } }: CorrespondentsContext,
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

const readBlocked = async (
  { senderLists }: CorrespondentsContext,
  db: Db,
  mask: MaskOwner,
): Promise<ReadonlySet<string>> => new Set((await senderLists.read(db, mask)).block.map(mailboxKey));

const findOwn = async (
  { reverseAddresses }: CorrespondentsContext,
  db: Db,
  mask: MaskOwner,
  id: string,
): Promise<{ readonly row: Row; readonly reverse: ReverseAddress } | undefined> => {
  await getMask(db, mask.userId, mask.maskId);
  const row = await findRow(db, mask, id);
  const reverse = row && reverseAddresses.read(mask, row.sealed);
  return row && reverse ? { row, reverse } : undefined;
};

/** Returns the correspondents of a mask, the latest first. Rejects with 404 for another user's mask, as all of these do. */
export const listCorrespondents = async (
  context: CorrespondentsContext,
  db: Db,
  mask: MaskOwner,
  { limit = maxListed, after }: ListPage,
): Promise<{ readonly correspondents: readonly Correspondent[]; readonly more: boolean }> => {
  await getMask(db, mask.userId, mask.maskId);
  const isBeginning = after === undefined;
  const rows = uniqueRows(await findLatest(db, mask, isBeginning ? 2 * (limit + 1) : maxRead));
  const { page, isMore } = pageOf(
    rows,
    { limit, after },
    { idOf: (row) => row.correspondent_hash, what: "correspondent" },
  );
  const blocked = await readBlocked(context, db, mask);
  return {
    correspondents: page.flatMap((row) => {
      const reverse = context.reverseAddresses.read(mask, row.sealed);
      return reverse ? [toCorrespondent(context, reverse, row, blocked)] : [];
    }),
    more: isMore,
  };
};

/** Returns one correspondent; undefined when the mask has none with this id. */
export const findCorrespondent = async (
  context: CorrespondentsContext,
  db: Db,
  mask: MaskOwner,
  id: string,
): Promise<Correspondent | undefined> => {
  const own = await findOwn(context, db, mask, id);
  return own && toCorrespondent(context, own.reverse, own.row, await readBlocked(context, db, mask));
};

/** Adds a correspondent, who gets a reverse address. Rejects with 409 when the mask has too many. */
export const addCorrespondent = async (
  context: CorrespondentsContext,
  tx: Db,
  mask: MaskOwner,
  correspondent: Sender,
): Promise<Correspondent> => {
  const { reverseAddresses, config } = context;
  const { email } = await getMask(tx, mask.userId, mask.maskId);
  assertForeign(correspondent.address, email, config.maskDomain);
  const id = reverseAddresses.idOf(mask, correspondent);
  if (!(await findRow(tx, mask, id))) await assertHasRoom(tx, mask);
  const reverse = await reverseAddresses.open(tx, mask, correspondent);
  const row = await findRow(tx, mask, id);
  if (!row) throw new Error("the reverse address cannot be read");
  return toCorrespondent(context, reverse, row, await readBlocked(context, tx, mask));
};

/** Puts a correspondent on the mask's list of blocked senders, or takes them off. Rejects with 404 like `forgetCorrespondent`. */
export const blockCorrespondent = async (
  context: CorrespondentsContext,
  tx: Db,
  mask: MaskOwner,
  { id, isBlocked }: { readonly id: string; readonly isBlocked: boolean },
): Promise<Correspondent> => {
  const { senderLists, clock } = context;
  const own = await findOwn(context, tx, mask, id);
  if (!own) throw noCorrespondent();
  const { address } = own.reverse.correspondent;
  const before = await readBlocked(context, tx, mask);
  if (isBlocked) await senderLists.add(tx, mask, "block", address, clock.now());
  else if (before.has(mailboxKey(address))) await senderLists.remove(tx, mask, address);
  await recordSendersChange(tx, mask, clock.now());
  return toCorrespondent(context, own.reverse, own.row, await readBlocked(context, tx, mask));
};

/** Forgets a correspondent. Rejects with 404 when the mask has none with this id. */
export const forgetCorrespondent = async (
  { reverseAddresses, clock }: CorrespondentsContext,
  tx: Db,
  mask: MaskOwner,
  id: string,
): Promise<void> => {
  await getMask(tx, mask.userId, mask.maskId);
  await forgetRow(tx, mask, id, clock.now());
  afterCommit(tx, () => reverseAddresses.dropCached(mask.maskId));
};
