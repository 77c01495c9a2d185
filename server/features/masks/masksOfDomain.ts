import { type DomainName, isAtDomain } from "../../../core/mail/domainName.ts";
import { domainOf, type EmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { adjustMaskCount } from "../../platform/store/users.ts";
import { recordMasksChange } from "../maskChanges/maskChanges.ts";
import { type AddressRightOptions, findAddressRight } from "./addressRight.ts";
import { claimAddress, deleteMaskRow, linkAddress } from "./maskQueries.ts";

interface DomainOfUser {
  readonly userId: string;
  readonly domain: DomainName;
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
    .where("email", "like", mailboxKey(`%@${domain}`))
    .orderBy("id")
    .execute();
  for (const { id } of masks) await deleteMaskRow(db, userId, id, now);
  if (masks.length > 0) {
    await adjustMaskCount(db, userId, -masks.length);
    const ids = masks.map(({ id }) => id);
    await recordMasksChange(db, { userId, clientId: null }, "deleted", ids, now);
  }
  return masks.length;
};

/** Frees the addresses at a domain that masks of other accounts had; the account that proves a domain decides about them. */
export const releaseDomainAddresses = async (db: Db, { userId, domain }: DomainOfUser): Promise<void> => {
  await db
    .deleteFrom("mask_addresses")
    .where("email_key", "like", mailboxKey(`%@${domain}`))
    .where(({ or, eb, selectFrom }) =>
      or([
        eb("mask_id", "is", null),
        eb("mask_id", "not in", selectFrom("masks").select("id").where("user_id", "=", userId)),
      ]),
    )
    .execute();
};

/** Gives a new mask an address that its owner has chosen; throws a 409 when it was used before. */
export const claimChosenAddress = async (db: Db, address: EmailAddress, now: number): Promise<void> => {
  if (await claimAddress(db, mailboxKey(address), now)) return;
  const message = `${address} has been used before. Choose another name.`;
  throw new UseCaseError("conflict", message, { errors: [{ field: "localPart", message }] });
};

/** A mask of the trash. */
interface TrashedAddress {
  readonly id: string;
  readonly userId: string;
  readonly email: EmailAddress;
}

/**
 * Gives a mask of the trash its address back, which another account may have got with the domain; throws a 409 when its
 * owner may not have it, or when it belongs to another mask. The caller has locked the user.
 */
export const reclaimAddress = async (
  db: Db,
  { id, userId, email }: TrashedAddress,
  options: AddressRightOptions,
): Promise<void> => {
  const isOurs = isAtDomain(email, options.maskDomain);
  if ((await findAddressRight(db, { userId, email }, options)) !== "new")
    throw new UseCaseError(
      "conflict",
      isOurs
        ? `${email} belongs to the operator of ${options.maskDomain}.`
        : `${email} is at no domain of yours. Add and prove ${domainOf(email)} in your settings first.`,
    );
  const key = mailboxKey(email);
  const find = () =>
    db.selectFrom("mask_addresses").select("mask_id").where("email_key", "=", key).executeTakeFirst();
  // An address of the installation stays with its mask, unless the mask should not have had it: then nobody has it.
  const mayClaim = !isOurs || (await find()) === undefined;
  if (mayClaim && (await claimAddress(db, key, options.now))) await linkAddress(db, key, id);
  const row = await find();
  if (row?.mask_id !== id)
    throw new UseCaseError("conflict", `${email} belongs to another mask now, or to none.`);
};
