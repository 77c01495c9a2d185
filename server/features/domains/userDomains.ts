import type { Updateable } from "kysely";
import { type Domain, type DomainChange, maxOwnDomains } from "../../../core/domains/domain.ts";
import type { DomainList } from "../../../core/domains/domainEndpoints.ts";
import type { DomainName } from "../../../core/mail/domainName.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { isId } from "../../platform/store/id.ts";
import { lockUser } from "../../platform/store/users.ts";
import { findDestinations } from "../destinations/destinationQueries.ts";
import { trashMasksAt } from "../masks/masksOfDomain.ts";
import { createAddOwnDomain, createClaimSubdomain } from "./addDomain.ts";
import type { CheckDomain } from "./checkDomain.ts";
import {
  deleteDomainRow,
  findDomain,
  findDomains,
  recordDomainChange,
  toDomain,
  updateDomain,
} from "./domainQueries.ts";
import type { DomainsTable } from "./domainTables.ts";
import type { CheckSubdomainName } from "./subdomainNames.ts";

/** The checks of domains and of the names of sub-domains. */
interface DomainChecks {
  readonly checkDomain: CheckDomain;
  readonly checkSubdomainName: CheckSubdomainName;
}

const notFound = (): UseCaseError => new UseCaseError("missing", "This domain is not in your list any more");

const readDestination = async (db: Db, userId: string, email: string): Promise<string> => {
  const all = await findDestinations(db, userId);
  const found = all.find((one) => isSameMailbox(one.email, email) && one.confirmed_at !== null);
  if (found) return found.id;
  throw fieldError("invalid", "destination", "Choose one of your confirmed addresses.");
};

const toColumns = async (
  db: Db,
  userId: string,
  { catchAll, patterns, approveFirst, destination }: DomainChange,
): Promise<Updateable<DomainsTable>> => ({
  ...(catchAll !== undefined && { catch_all: catchAll }),
  ...(patterns !== undefined && { patterns: JSON.stringify(patterns) }),
  ...(approveFirst !== undefined && { approve_first: approveFirst ? 1 : 0 }),
  ...(destination !== undefined && {
    destination_id: destination === null ? null : await readDestination(db, userId, destination),
  }),
});

const readDomain = async (
  db: Db,
  { maskDomain }: Pick<ServerContext["config"], "maskDomain">,
  userId: string,
  id: string,
): Promise<Domain> => {
  const row = isId(id) ? await findDomain(db, userId, id) : undefined;
  if (!row) throw notFound();
  return toDomain(row, { maskDomain });
};

/** Changes how one of a user's domains takes mail. */
export const editDomain = async (
  { clock, config }: Pick<ServerContext, "clock" | "config">,
  tx: Db,
  { userId, id }: { readonly userId: string; readonly id: string },
  change: DomainChange,
): Promise<Domain> => {
  await lockUser(tx, userId);
  const before = await readDomain(tx, config, userId, id);
  const { catchAll, patterns } = { ...before, ...change };
  if (catchAll === "pattern" && patterns.length === 0)
    throw fieldError("invalid", "patterns", "Enter at least one pattern.");
  await updateDomain(tx, { id, user_id: userId }, await toColumns(tx, userId, change));
  await recordDomainChange(tx, userId, clock.now());
  return readDomain(tx, config, userId, id);
};

/** Removes a domain; its masks go to the trash. */
export const removeDomain = async (
  { clock, config }: Pick<ServerContext, "clock" | "config">,
  tx: Db,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<void> => {
  await lockUser(tx, userId);
  const { name } = await readDomain(tx, config, userId, id);
  const now = clock.now();
  await trashMasksAt(tx, { userId, domain: name }, now);
  if (!(await deleteDomainRow(tx, userId, id))) throw notFound();
  await recordDomainChange(tx, userId, now);
};

/** Creates the use cases of a user's domains. */
export const createUserDomains = (
  context: Pick<ServerContext, "database" | "clock" | "random" | "seal" | "feed" | "config">,
  { checkDomain, checkSubdomainName }: DomainChecks,
) => {
  const { database, feed, config } = context;
  const { maskDomain } = config;
  const addOwnDomain = createAddOwnDomain(context);
  const claimSubdomain = createClaimSubdomain(context, checkSubdomainName);

  const list = async (userId: string): Promise<DomainList> => {
    const domains = await findDomains(database.db, userId);
    const count = (kind: Domain["kind"]): number => domains.filter((one) => one.kind === kind).length;
    return {
      domains: domains.map((row) => toDomain(row, { maskDomain })),
      ownLeft: Math.max(0, maxOwnDomains - count("own")),
      subdomainsLeft: Math.max(0, config.subdomains - count("sub")),
      under: maskDomain,
    };
  };

  const check = async (userId: string, id: string): Promise<Domain> => {
    const row = isId(id) ? await findDomain(database.db, userId, id) : undefined;
    if (!row) throw notFound();
    await checkDomain(row);
    feed.wake();
    // Mail is signed by what the answer says.
    await feed.catchUp();
    return readDomain(database.db, config, userId, id);
  };

  return {
    list,
    check,
    /** Adds a domain or claims a sub-domain, and checks it once. */
    create: async (
      userId: string,
      { name, label }: { readonly name?: DomainName; readonly label?: string },
    ): Promise<Domain> => {
      if ((name === undefined) === (label === undefined))
        throw fieldError("invalid", "name", "Enter either a domain or the name of a subdomain.");
      const id =
        name === undefined ? await claimSubdomain(userId, label ?? "") : await addOwnDomain(userId, name);
      return check(userId, id);
    },
  };
};

export type UserDomains = ReturnType<typeof createUserDomains>;
