import { lapseDays } from "../../core/domains/domain.ts";
import { dayMs } from "../../core/kernel/durations.ts";
import { domainOf, type EmailAddress, mailboxKey } from "../../core/mail/emailAddress.ts";
import { toAsciiDomain } from "../delivery/systemMail.ts";
import { fieldError, HttpError } from "../http/httpError.ts";
import type { Db } from "../store/database.ts";
import { findProvenDomain } from "../store/provenDomains.ts";
import { adjustMaskCount } from "../store/users.ts";
import { recordMaskChange } from "./maskDeps.ts";
import { claimAddress, deleteMaskRow, linkAddress } from "./maskQueries.ts";

interface DomainOfUser {
  readonly userId: string;
  /** In ASCII and lower case. */
  readonly domain: string;
}

/** Moves a user's masks at a domain to the trash; returns their number. The caller has locked the user. */
export const trashMasksAt = async (
  db: Db,
  { userId, domain }: DomainOfUser,
  now: number,
): Promise<number> => {
  const masks = await db
    .selectFrom("masks")
    .select("id")
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where("email", "like", `%@${domain}`)
    .orderBy("id")
    .execute();
  for (const { id } of masks) await deleteMaskRow(db, userId, id, now);
  if (masks.length > 0) {
    await adjustMaskCount(db, userId, -masks.length);
    await recordMaskChange(db, { userId, clientId: null }, "deleted", null, now);
  }
  return masks.length;
};

/** Whether mail to an address comes to masks of a user's domain, so that it cannot be where masks forward to. */
export const isAtProvenDomain = async (db: Db, email: EmailAddress): Promise<boolean> =>
  (await findProvenDomain(db, toAsciiDomain(domainOf(email)))) !== undefined;

/** Frees the addresses at a domain that masks of other accounts had; the account that proves a domain decides about them. */
export const releaseDomainAddresses = async (db: Db, { userId, domain }: DomainOfUser): Promise<void> => {
  await db
    .deleteFrom("mask_addresses")
    .where("email_key", "like", `%@${domain}`)
    .where(({ or, eb, selectFrom }) =>
      or([
        eb("mask_id", "is", null),
        eb("mask_id", "not in", selectFrom("masks").select("id").where("user_id", "=", userId)),
      ]),
    )
    .execute();
};

/** Returns the proven domain of a user, if masks may be made there; undefined otherwise. */
const findUsableDomain = (db: Db, { userId, domain }: DomainOfUser, now: number) =>
  db
    .selectFrom("domains")
    .select("name")
    .where("user_id", "=", userId)
    .where("name", "=", domain)
    .where("proven_at", "is not", null)
    .where(({ or, eb }) => or([eb("lapsed_at", "is", null), eb("lapsed_at", ">", now - lapseDays * dayMs)]))
    .executeTakeFirst();

/** Throws unless the user may make masks at a domain. */
export const assertUsableDomain = async (db: Db, at: DomainOfUser, now: number): Promise<void> => {
  if (await findUsableDomain(db, at, now)) return;
  throw fieldError(400, "domain", `You can make masks at ${at.domain} once it is proven in your settings.`);
};

/** Gives a new mask an address that its owner has chosen; throws a 409 when it was used before. */
export const claimChosenAddress = async (db: Db, address: EmailAddress, now: number): Promise<void> => {
  if (await claimAddress(db, mailboxKey(address), now)) return;
  const message = `${address} has been used before. Please choose another name.`;
  throw new HttpError(409, message, { errors: [{ field: "localPart", message }] });
};

/**
 * Checks that a mask of the trash can take mail again: one at a domain of its owner only while they have the domain, and
 * its address.
 */
export const reclaimDomainAddress = async (
  db: Db,
  mask: { readonly id: string; readonly userId: string; readonly email: EmailAddress },
  { maskDomain, now }: { readonly maskDomain: string; readonly now: number },
): Promise<void> => {
  const domain = domainOf(mask.email);
  if (domain === maskDomain) return;
  if (!(await findUsableDomain(db, { userId: mask.userId, domain }, now)))
    throw new HttpError(
      409,
      `Its domain ${domain} is not one of yours. Add and prove it in your settings first.`,
    );
  const key = mailboxKey(mask.email);
  if (await claimAddress(db, key, now)) await linkAddress(db, key, mask.id);
  const row = await db
    .selectFrom("mask_addresses")
    .select("mask_id")
    .where("email_key", "=", key)
    .executeTakeFirst();
  if (row?.mask_id !== mask.id) throw new HttpError(409, `${mask.email} belongs to another mask now.`);
};
