import { domainToASCII } from "node:url";
import { type DomainName, isDomainName, isSameDomain, toDomainName } from "../../../core/mail/domainName.ts";
import {
  domainOf,
  type EmailAddress,
  localPartOf,
  type MailboxKey,
  mailboxKey,
} from "../../../core/mail/emailAddress.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { deleteMailOfMask } from "../../delivery/queue/queueAdministration.ts";
import {
  removedMasksMail,
  removedMasksText,
  removedNamesText,
} from "../../delivery/systemMail/removedMaskTexts.ts";
import { queueSystemMail } from "../../delivery/systemMail/systemMail.ts";
import type { Log } from "../../platform/ops/log.ts";
import type { Db } from "../../platform/store/database.ts";
import { adjustMaskCount, lockUser } from "../../platform/store/users.ts";
import { recordMasksChange } from "../maskChanges/maskChanges.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { isGenerated } from "./maskAddress.ts";
import { claimAddress, deleteMaskRow, linkAddress } from "./maskQueries.ts";
import { isOwnName } from "./ownNames.ts";

interface RemoveTakenNamesDeps extends Pick<ServerContext, "database" | "clock" | "random" | "sender"> {
  readonly log: Pick<Log, "warn">;
}

/** Rows that are read at a time. */
const pageRows = 5_000;

/** An address of a mask, as it is stored. */
interface StoredAddress {
  readonly key: MailboxKey;
  readonly maskId: string;
  readonly userId: string;
}

/** The treatment of a stored address: it stays, gets the one spelling of its domain, or is taken from its mask. */
type Finding = "stays" | { readonly spelled: EmailAddress } | "taken";

type FindingFor = (address: EmailAddress, mask: Pick<StoredAddress, "maskId" | "userId">) => Finding;

/** Domains that were not decoded before they were stored reached the installation's by the rules of web addresses. */
const looseDomain = (text: string): DomainName | null =>
  toDomainName(text) ?? toDomainName(domainToASCII(text));

/** True if an address is at the installation's domain in a spelling that the server itself has never written. */
const isMisspelled = (address: EmailAddress, maskDomain: DomainName): boolean => {
  const written = domainOf(address);
  const domain = looseDomain(written);
  return domain !== null && isSameDomain(domain, maskDomain) && written !== String(maskDomain);
};

/** A name that is not the installation's own was chosen only where its mask has the domain in another spelling. */
const findingOf = (address: EmailAddress, maskDomain: DomainName, mayBeChosen: boolean): Finding => {
  const localPart = localPartOf(address);
  const written = domainOf(address);
  const domain = looseDomain(written);
  if (domain === null) return "stays";
  const isTaken =
    isSameDomain(domain, maskDomain) && (isOwnName(localPart) || (mayBeChosen && !isGenerated(localPart)));
  if (isTaken) return "taken";
  return isDomainName(written) ? "stays" : { spelled: `${localPart}@${domain}` };
};

/** Reads all rows, page by page in the order of a key. */
async function* readAll<Row, Key>(
  first: Key,
  readPage: (after: Key) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row> {
  let after = first;
  for (;;) {
    const rows = await readPage(after);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = keyOf(last);
  }
}

const addressesIn = (db: Db): AsyncGenerator<StoredAddress> =>
  readAll(
    mailboxKey(""),
    (after) =>
      db
        .selectFrom("mask_addresses")
        .innerJoin("masks", "masks.id", "mask_addresses.mask_id")
        .select(["mask_addresses.email_key as key", "masks.id as maskId", "masks.user_id as userId"])
        .where("mask_addresses.email_key", ">", after)
        .orderBy("mask_addresses.email_key")
        .limit(pageRows)
        .execute(),
    ({ key }) => key,
  );

const masksIn = (db: Db) =>
  readAll(
    "",
    (after) =>
      db
        .selectFrom("masks")
        .select(["id as maskId", "user_id as userId", "email", "deleted_at as deletedAt"])
        .where("id", ">", after)
        .orderBy("id")
        .limit(pageRows)
        .execute(),
    ({ maskId }) => maskId,
  );

/** Returns the masks that show an address, or have one, at the installation's domain in another spelling. */
const findMisspelled = async (db: Db, maskDomain: DomainName): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  for await (const { maskId, email } of masksIn(db)) if (isMisspelled(email, maskDomain)) found.add(maskId);
  for await (const { maskId, key } of addressesIn(db)) if (isMisspelled(key, maskDomain)) found.add(maskId);
  return found;
};

/** Returns every stored address that does not stay, with what becomes of it. */
const findAddresses = async (
  db: Db,
  findingFor: FindingFor,
): Promise<readonly (StoredAddress & { readonly finding: Exclude<Finding, "stays"> })[]> => {
  const found = [];
  for await (const row of addressesIn(db)) {
    const finding = findingFor(row.key, row);
    if (finding !== "stays") found.push({ ...row, finding });
  }
  return found;
};

/** Returns the masks whose shown address does not stay. */
const findMasks = async (db: Db, findingFor: FindingFor) => {
  const found = [];
  for await (const row of masksIn(db)) {
    const finding = findingFor(row.email, row);
    if (finding !== "stays") found.push({ ...row, finding });
  }
  return found;
};

/** Writes the domains of API tokens in their one spelling. */
const spellTokenDomains = async (db: Db): Promise<void> => {
  const tokens = await db
    .selectFrom("api_tokens")
    .select(["id", "domain"])
    .where("domain", "is not", null)
    .execute();
  for (const { id, domain } of tokens) {
    const name = domain === null ? null : looseDomain(domain);
    if (name !== null && !isDomainName(domain ?? ""))
      await db.updateTable("api_tokens").set({ domain: name }).where("id", "=", id).execute();
  }
};

/** Gives a mask's address another key; false when that belongs to another mask. */
const respell = async (
  db: Db,
  { key, maskId }: StoredAddress,
  to: MailboxKey,
  now: number,
): Promise<boolean> => {
  await db.deleteFrom("mask_addresses").where("email_key", "=", key).execute();
  if (!(await claimAddress(db, to, now))) return false;
  await linkAddress(db, to, maskId);
  return true;
};

/** Takes an address from its mask; nobody gets it. */
const takeAddress = async (db: Db, { key, userId }: StoredAddress, now: number): Promise<void> => {
  await db.updateTable("mask_addresses").set({ mask_id: null }).where("email_key", "=", key).execute();
  await db
    .insertInto("removed_addresses")
    .values({ address: key, user_id: userId, removed_at: now })
    .onConflict((conflict) => conflict.column("address").doNothing())
    .execute();
};

const tellOwner = async (
  db: Db,
  { sender, random }: RemoveTakenNamesDeps,
  { userId, addresses }: { readonly userId: string; readonly addresses: readonly string[] },
  now: number,
): Promise<void> => {
  const message = removedMasksText(addresses, sender.maskDomain);
  await addNotification(db, { userId, type: "security", priority: "high", message }, now);
  const user = await db.selectFrom("users").select("email").where("id", "=", userId).executeTakeFirst();
  if (user)
    await queueSystemMail(db, sender, removedMasksMail(sender, user.email, addresses), { now, random });
};

const tellOperators = async (
  db: Db,
  { sender: { maskDomain } }: RemoveTakenNamesDeps,
  addresses: readonly string[],
  now: number,
): Promise<void> => {
  const names = addresses.map(localPartOf).filter(isOwnName);
  if (names.length === 0) return;
  const operators = await db.selectFrom("users").select("id").where("is_operator", "=", 1).execute();
  const message = removedNamesText(names, maskDomain);
  for (const { id: userId } of operators)
    await addNotification(db, { userId, type: "security", priority: "urgent", message }, now);
};

/** The users who have the installation's domain as one of theirs, from before it was the installation's. */
const ownersOfDomain = async (db: Db, maskDomain: DomainName): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom("domains").select("user_id").where("name", "=", maskDomain).execute();
  return new Set(rows.map(({ user_id }) => user_id));
};

/** Mail that waits for a taken name, such as a proof of the domain, is not for whoever took it. */
const moveMasksToTrash = async (
  database: RemoveTakenNamesDeps["database"],
  db: Db,
  userId: string,
  ids: readonly string[],
  now: number,
): Promise<void> => {
  if (ids.length === 0) return;
  for (const id of ids) {
    await deleteMaskRow(db, userId, id, now);
    await db.deleteFrom("held_mails").where("user_id", "=", userId).where("mask_id", "=", id).execute();
    await deleteMailOfMask(database, db, { userId, maskId: id });
  }
  await adjustMaskCount(db, userId, -ids.length);
  await recordMasksChange(db, { userId, clientId: null }, "deleted", ids, now);
};

/** Addresses or masks of each user, by the user's id. */
type OfUsers = ReadonlyMap<string, readonly string[]>;

const ofUsers = (all: readonly { readonly userId: string; readonly value: string }[]): OfUsers =>
  new Map(
    [...Map.groupBy(all, ({ userId }) => userId)].map(([id, own]) => [id, own.map(({ value }) => value)]),
  );

/** Corrects stored addresses; returns those that their users have lost. */
const correctAddresses = async (db: Db, findingFor: FindingFor, now: number): Promise<OfUsers> => {
  const lost = [];
  for (const address of await findAddresses(db, findingFor)) {
    const { key, userId, finding } = address;
    if (finding !== "taken" && (await respell(db, address, mailboxKey(finding.spelled), now))) continue;
    await takeAddress(db, address, now);
    lost.push({ userId, value: key });
  }
  return ofUsers(lost);
};

/** Corrects the addresses that masks show; returns the masks that have lost theirs. */
const correctMasks = async (db: Db, findingFor: FindingFor, lost: OfUsers): Promise<OfUsers> => {
  const without = [];
  for (const { maskId, userId, email, deletedAt, finding } of await findMasks(db, findingFor)) {
    if (finding !== "taken" && !lost.get(userId)?.includes(mailboxKey(email)))
      await db.updateTable("masks").set({ email: finding.spelled }).where("id", "=", maskId).execute();
    else if (deletedAt === null) without.push({ userId, value: maskId });
  }
  return ofUsers(without);
};

/** Marks the database as searched; false when it was already. */
const beginSearch = async (db: Db, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("installation")
    .set({ names_checked_at: now })
    .where("names_checked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/**
 * Takes the addresses at the installation's domain from masks that a domain in another spelling had let their owners choose,
 * and the installation's own names from every mask, once for a database. Masks that show such an address rest among the deleted
 * ones; their owners and the operators are told. Addresses at domains in other spellings get the one spelling.
 */
export const removeTakenNames = async (deps: RemoveTakenNamesDeps): Promise<void> => {
  const { database, clock, log, sender } = deps;
  const now = clock.now();
  await database.transaction(async (db) => {
    if (!(await beginSearch(db, now))) return;
    await spellTokenDomains(db);
    const owners = await ownersOfDomain(db, sender.maskDomain);
    const misspelled = await findMisspelled(db, sender.maskDomain);
    const findingFor: FindingFor = (address, { maskId, userId }) =>
      findingOf(address, sender.maskDomain, misspelled.has(maskId) && !owners.has(userId));
    const lost = await correctAddresses(db, findingFor, now);
    const withoutAddress = await correctMasks(db, findingFor, lost);
    for (const [userId, addresses] of lost) {
      await lockUser(db, userId);
      await moveMasksToTrash(database, db, userId, withoutAddress.get(userId) ?? [], now);
      await tellOwner(db, deps, { userId, addresses }, now);
    }
    const all = [...lost.values()].flat();
    if (all.length === 0) return;
    await tellOperators(db, deps, all, now);
    const names = all.map(localPartOf).filter(isOwnName);
    log.warn(
      { addresses: all.length, accounts: lost.size, names },
      "addresses were taken from masks that the server had not given out; bauta doctor names the accounts",
    );
  });
};
