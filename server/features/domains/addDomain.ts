import { domainToASCII } from "node:url";
import { getDomain, getPublicSuffix } from "tldts";
import { type Domain, domainMessage, maxOwnDomains, reservedName } from "../../../core/domains/domain.ts";
import {
  type DomainName,
  isSameDomain,
  isWithinDomain,
  toDomainName,
} from "../../../core/mail/domainName.ts";
import { domainOf } from "../../../core/mail/emailAddress.ts";
import { randomHex } from "../../../core/ports/random.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { findProvenDomain } from "../../platform/store/provenDomains.ts";
import { findUser, lockUser } from "../../platform/store/users.ts";
import { findDestinations } from "../destinations/destinationQueries.ts";
import { createDomainKey } from "./domainKeys.ts";
import { findDomains, insertDomain, recordDomainChange } from "./domainQueries.ts";
import type { CheckSubdomainName } from "./subdomainNames.ts";
import { claimSubdomain } from "./subdomains.ts";

type AddDomainContext = Pick<ServerContext, "database" | "clock" | "random" | "seal" | "config">;

/** Hexadecimal characters of a proof: 128 random bits. */
const tokenBytes = 16;

/** Throws for a name that nobody can prove or that belongs to the installation. */
const assertMayAdd = (name: DomainName, maskDomain: DomainName): void => {
  if (domainToASCII(name) !== name) throw fieldError("invalid", "name", domainMessage);
  if (isWithinDomain(name, maskDomain))
    throw fieldError(
      "invalid",
      "name",
      `${maskDomain} belongs to this installation. Claim a subdomain instead.`,
    );
  const suffix = getPublicSuffix(name, { allowPrivateDomains: true });
  if (suffix === name || getDomain(name, { allowPrivateDomains: true }) === null)
    throw fieldError("invalid", "name", `${name} is shared by many people. Enter the domain that is yours.`);
};

/** Throws when mail to an address of the user would come back here. */
const assertReachable = async (db: Db, userId: string, name: DomainName): Promise<void> => {
  const user = await findUser(db, userId);
  const destinations = await findDestinations(db, userId);
  const own = [user?.email ?? "", ...destinations.map(({ email }) => email)];
  const here = own.find((email) => {
    const domain = toDomainName(domainOf(email));
    return domain !== null && isSameDomain(domain, name);
  });
  if (here === undefined) return;
  throw fieldError(
    "invalid",
    "name",
    `Your own mail goes to ${here}, and would come back here. Add a subdomain such as masks.${name} instead.`,
  );
};

const tooManyDomains = (): UseCaseError =>
  new UseCaseError("forbidden", `An account has at most ${maxOwnDomains} domains of its own.`);

type NewDomain = { readonly id: string; readonly name: DomainName } & Awaited<
  ReturnType<typeof createDomainKey>
>;

const insert = async (
  db: Db,
  { random, clock }: Pick<ServerContext, "random" | "clock">,
  userId: string,
  kind: Domain["kind"],
  domain: NewDomain,
): Promise<void> => {
  const now = clock.now();
  const inserted = await insertDomain(db, {
    ...domain,
    user_id: userId,
    kind,
    token: randomHex(random, tokenBytes),
    proven_at: kind === "sub" ? now : null,
    lapsed_at: null,
    checked_at: null,
    next_check_at: now,
    created_at: now,
  });
  if (!inserted) throw fieldError("conflict", "name", `${domain.name} is in your list already.`);
  await recordDomainChange(db, userId, now);
};

const countDomains = async (db: Db, userId: string, kind: Domain["kind"]): Promise<number> =>
  (await findDomains(db, userId)).filter((one) => one.kind === kind).length;

/** Throws when another account has proven a domain; one whose proof is missing may have another owner now. */
const assertNotOfAnother = async (db: Db, userId: string, name: DomainName): Promise<void> => {
  const proven = await findProvenDomain(db, name);
  if (proven && proven.user_id !== userId && proven.lapsed_at === null)
    throw fieldError(
      "conflict",
      "name",
      `Another account has proven ${name}. If it is yours now, remove its record from your DNS and try again tomorrow.`,
    );
};

/** Creates the function that adds a domain that the user has to prove, and returns its id. */
export const createAddOwnDomain = (context: AddDomainContext) => {
  const { database, random, seal, config } = context;
  return async (userId: string, name: DomainName): Promise<string> => {
    assertMayAdd(name, config.maskDomain);
    if ((await countDomains(database.db, userId, "own")) >= maxOwnDomains) throw tooManyDomains();
    const id = newId(random);
    const key =
      config.dkim === "on" ? await createDomainKey(seal, id) : { dkim_private: null, dkim_public: null };
    await database.transaction(async (db) => {
      await lockUser(db, userId);
      if ((await countDomains(db, userId, "own")) >= maxOwnDomains) throw tooManyDomains();
      await assertReachable(db, userId, name);
      await assertNotOfAnother(db, userId, name);
      await insert(db, context, userId, "own", { id, name, ...key });
    });
    return id;
  };
};

const assertFree = async (checkSubdomainName: CheckSubdomainName, label: string): Promise<void> => {
  switch (await checkSubdomainName(label)) {
    case "free":
      return;
    case "reserved":
      throw fieldError("invalid", "label", reservedName);
    case "in use":
      throw fieldError("invalid", "label", "DNS has a host with this name. Choose another one.");
    case "unknown":
      throw new UseCaseError("unavailable", "DNS does not say whether this name is free. Try again later.");
  }
};

/** Creates the function that claims a sub-domain of the installation for a user, and returns its id. */
export const createClaimSubdomain =
  (context: AddDomainContext, checkSubdomainName: CheckSubdomainName) =>
  async (userId: string, label: string): Promise<string> => {
    const { database, clock, random, config } = context;
    const { subdomains: most, maskDomain } = config;
    const id = newId(random);
    await assertFree(checkSubdomainName, label);
    const name = toDomainName(`${label}.${maskDomain}`);
    if (name === null) throw fieldError("invalid", "label", "This name is too long.");
    await database.transaction(async (db) => {
      await lockUser(db, userId);
      if ((await countDomains(db, userId, "sub")) >= most)
        throw new UseCaseError(
          "forbidden",
          most === 0 ? "This installation has no subdomains." : "You have no subdomain left.",
        );
      await claimSubdomain(db, { userId, name, most }, clock.now());
      await insert(db, context, userId, "sub", { id, name, dkim_private: null, dkim_public: null });
    });
    return id;
  };
