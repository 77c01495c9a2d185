import { type DomainName, isSameDomain } from "../../../core/mail/domainName.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";

/** The names that one account may claim over time for each sub-domain that it may have, so that nobody hoards names. */
const claimsForEach = 3;

interface Claim {
  readonly userId: string;
  readonly name: DomainName;
  /** The number of sub-domains that the account may have at a time. */
  readonly most: number;
}

/**
 * Reserves a name under the installation's domain for an account, forever: neither its removal nor the end of the account
 * makes it free. The account may claim it again. Throws a 409 for the name of another account, and a 403 for too many names.
 */
export const claimSubdomain = async (db: Db, { userId, name, most }: Claim, now: number): Promise<void> => {
  await db
    .insertInto("claimed_subdomains")
    .values({ name, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const claimed = await db
    .selectFrom("claimed_subdomains")
    .select("name")
    .where("user_id", "=", userId)
    .execute();
  if (!claimed.some((one) => isSameDomain(one.name, name)))
    throw fieldError("conflict", "label", "This name is taken. Choose another one.");
  if (claimed.length > most * claimsForEach)
    throw new UseCaseError(
      "forbidden",
      "You have claimed too many names. Choose one of those that you had: they stay reserved for you.",
    );
};
