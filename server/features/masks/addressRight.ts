import type { Selectable } from "kysely";
import { lapseDays, roleOf } from "../../../core/domains/domain.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { type DomainName, isSameDomain, toDomainName } from "../../../core/mail/domainName.ts";
import { domainOf, type EmailAddress, localPartOf } from "../../../core/mail/emailAddress.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import type { Tables } from "../../platform/store/tables.ts";
import { isOwnName } from "./ownNames.ts";

/** The right of an account to an address: none, to receive and send as long as it has it, or also to take it anew. */
export type AddressRight = "none" | "existing" | "new";

/** An account, and an address that it has or wants. */
export interface AddressOfUser {
  readonly userId: string;
  readonly email: EmailAddress;
}

export interface AddressRightOptions {
  readonly maskDomain: DomainName;
  readonly now: number;
}

/** Returns what the account that has proven a domain may do with an address there. */
export const rightAtDomain = (
  { kind, lapsed_at: lapsedAt }: Pick<Selectable<Tables["domains"]>, "kind" | "lapsed_at">,
  localPart: string,
  now: number,
): AddressRight => {
  // A certificate authority takes an answer from such an address as proof of the host, which is the operator's.
  const role = kind === "sub" ? roleOf(localPart) : null;
  if (role !== null) return role === "operator" ? "none" : "existing";
  return lapsedAt === null || now < lapsedAt + lapseDays * dayMs ? "new" : "existing";
};

/** Returns the domains of a user, by name, at which new masks can be made. */
export const findDomainsForNewMasks = async (
  db: Db,
  userId: string,
  now: number,
): Promise<readonly Pick<Selectable<Tables["domains"]>, "id" | "name">[]> => {
  const rows = await db
    .selectFrom("domains")
    .select(["id", "name", "kind", "lapsed_at"])
    .where("user_id", "=", userId)
    .where("proven_at", "is not", null)
    .orderBy("name")
    .execute();
  return rows.filter((row) => rightAtDomain(row, "", now) === "new");
};

/**
 * Decides whether an account may have an address at its domain now. Everything that gives masks addresses, receives at
 * them or sends from them asks this function.
 */
export const findAddressRight = async (
  db: Db,
  { userId, email }: AddressOfUser,
  { maskDomain, now }: AddressRightOptions,
): Promise<AddressRight> => {
  const name = toDomainName(domainOf(email));
  if (name === null) return "none";
  if (isSameDomain(name, maskDomain)) return isOwnName(localPartOf(email)) ? "none" : "new";
  const domain = await db
    .selectFrom("domains")
    .select(["kind", "lapsed_at"])
    .where("user_id", "=", userId)
    .where("name", "=", name)
    .where("proven_at", "is not", null)
    .executeTakeFirst();
  return domain ? rightAtDomain(domain, localPartOf(email), now) : "none";
};

/** True if an account may receive at an address of one of its masks, and send from it. */
export const mayUseAddress = async (
  db: Db,
  address: AddressOfUser,
  maskDomain: DomainName,
): Promise<boolean> =>
  // Time decides about new addresses alone.
  (await findAddressRight(db, address, { maskDomain, now: 0 })) !== "none";

/** Throws a 400 unless the account may take a new address. */
export const assertMayTakeAddress = async (
  db: Db,
  { userId, email }: AddressOfUser,
  options: AddressRightOptions,
): Promise<void> => {
  if ((await findAddressRight(db, { userId, email }, options)) === "new") return;
  const domain = domainOf(email);
  // No role has this name, so that the answer says whether the domain or the name is refused.
  if ((await findAddressRight(db, { userId, email: `any@${domain}` }, options)) === "new")
    throw fieldError(
      "invalid",
      "localPart",
      `${email} belongs to the operator of ${options.maskDomain}. Choose another name.`,
    );
  throw fieldError(
    "invalid",
    "domain",
    `You can create masks at ${domain} once it is proven in your settings.`,
  );
};
