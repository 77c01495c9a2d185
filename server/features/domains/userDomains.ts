import { domainToASCII } from "node:url";
import type { Updateable } from "kysely";
import { getDomain, getPublicSuffix } from "tldts";
import { type Domain, type DomainChange, maxOwnDomains, reservedName } from "../../../core/domains/domain.ts";
import type { DomainList } from "../../../core/domains/domainEndpoints.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { type Random, randomHex } from "../../../core/ports/random.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { EventFeed } from "../../platform/store/events.ts";
import { isId, newId } from "../../platform/store/id.ts";
import { findProvenDomain } from "../../platform/store/provenDomains.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { findUser, lockUser } from "../../platform/store/users.ts";
import { findDestinations } from "../destinations/destinationQueries.ts";
import { trashMasksAt } from "../masks/masksOfDomain.ts";
import type { CheckDomain } from "./checkDomain.ts";
import { createDomainKey } from "./domainKeys.ts";
import {
  deleteDomainRow,
  findDomain,
  findDomains,
  insertDomain,
  recordDomainChange,
  toDomain,
  updateDomain,
} from "./domainQueries.ts";
import type { DomainRecordsOptions } from "./domainRecords.ts";
import type { CheckSubdomainName } from "./subdomainNames.ts";
import { claimSubdomain } from "./subdomains.ts";
import type { DomainsTable } from "./tables.ts";

export interface UserDomainsDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly seal: Pick<Seal, "seal">;
  readonly feed: Pick<EventFeed, "wake">;
  readonly options: DomainRecordsOptions;
  /** How many sub-domains of the installation an account may have. */
  readonly subdomains: number;
  /** Whether mail is signed here, so that a domain has a key. */
  readonly signs: boolean;
  readonly checkDomain: CheckDomain;
  readonly checkSubdomainName: CheckSubdomainName;
}

const notFound = (): UseCaseError => new UseCaseError("missing", "This domain is not in your list any more");

/** Hexadecimal characters of a proof: 128 random bits. */
const tokenBytes = 16;

/** Returns the name in ASCII; throws for one that nobody can prove or that belongs to the installation. */
const readName = (typed: string, maskDomain: string): string => {
  const name = domainToASCII(typed);
  if (name === "") throw fieldError("invalid", "name", "Please enter a domain such as example.com");
  if (name === maskDomain || name.endsWith(`.${maskDomain}`))
    throw fieldError(
      "invalid",
      "name",
      `${maskDomain} belongs to this installation. Claim a sub-domain instead.`,
    );
  const suffix = getPublicSuffix(name, { allowPrivateDomains: true });
  if (suffix === name || getDomain(name, { allowPrivateDomains: true }) === null)
    throw fieldError("invalid", "name", `${typed} is shared by many people. Enter the domain that is yours.`);
  return name;
};

/** Throws when mail to an address of the user would come back here. */
const assertReachable = async (db: Db, userId: string, name: string): Promise<void> => {
  const [user, destinations] = [await findUser(db, userId), await findDestinations(db, userId)];
  const own = [user?.email ?? "", ...destinations.map(({ email }) => email)];
  const here = own.find((email) => domainToASCII(mailboxKey(email).split("@").at(-1) ?? "") === name);
  if (here === undefined) return;
  throw fieldError(
    "invalid",
    "name",
    `Your mail goes to ${here}, and would come back here. Add a sub-domain such as masks.${name} instead.`,
  );
};

/** What users do with their domains. */
export const createUserDomains = (deps: UserDomainsDeps) => {
  const { database, clock, random, seal, feed, options, subdomains, signs, checkDomain, checkSubdomainName } =
    deps;

  const read = async (db: Db, userId: string, id: string): Promise<Domain> => {
    const row = isId(id) ? await findDomain(db, userId, id) : undefined;
    if (!row) throw notFound();
    return toDomain(row, options);
  };

  const list = async (userId: string): Promise<DomainList> => {
    const domains = await findDomains(database.db, userId);
    const count = (kind: Domain["kind"]): number => domains.filter((one) => one.kind === kind).length;
    return {
      domains: domains.map((row) => toDomain(row, options)),
      ownLeft: Math.max(0, maxOwnDomains - count("own")),
      subdomainsLeft: Math.max(0, subdomains - count("sub")),
      under: options.maskDomain,
    };
  };

  const insert = async (
    db: Db,
    userId: string,
    kind: Domain["kind"],
    domain: { readonly id: string; readonly name: string } & Awaited<ReturnType<typeof createDomainKey>>,
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

  const add = async (userId: string, typed: string): Promise<string> => {
    const name = readName(typed, options.maskDomain);
    const { ownLeft } = await list(userId);
    if (ownLeft === 0)
      throw new UseCaseError("forbidden", `An account has at most ${maxOwnDomains} domains of its own.`);
    const id = newId(random);
    const key = signs ? await createDomainKey(seal, id) : { dkim_private: null, dkim_public: null };
    await database.transaction(async (db) => {
      await lockUser(db, userId);
      const own = (await findDomains(db, userId)).filter(({ kind }) => kind === "own");
      if (own.length >= maxOwnDomains)
        throw new UseCaseError("forbidden", `An account has at most ${maxOwnDomains} domains of its own.`);
      await assertReachable(db, userId, name);
      const proven = await findProvenDomain(db, name);
      // A domain whose proof is missing may have another owner now.
      if (proven && proven.user_id !== userId && proven.lapsed_at === null)
        throw fieldError(
          "conflict",
          "name",
          `Another account has proven ${name}. If it is yours now, remove its record from your DNS and try again tomorrow.`,
        );
      await insert(db, userId, "own", { id, name, ...key });
    });
    return id;
  };

  const assertFree = async (label: string): Promise<void> => {
    switch (await checkSubdomainName(label)) {
      case "free":
        return;
      case "reserved":
        throw fieldError("invalid", "label", reservedName);
      case "in use":
        throw fieldError("invalid", "label", "DNS has a host with this name. Please choose another one.");
      case "unknown":
        throw new UseCaseError(
          "unavailable",
          "DNS does not answer whether this name is free. Please try again later.",
        );
    }
  };

  const claim = async (userId: string, label: string): Promise<string> => {
    const id = newId(random);
    await assertFree(label);
    const name = `${label}.${options.maskDomain}`;
    await database.transaction(async (db) => {
      await lockUser(db, userId);
      const claimed = (await findDomains(db, userId)).filter(({ kind }) => kind === "sub");
      if (claimed.length >= subdomains)
        throw new UseCaseError(
          "forbidden",
          subdomains === 0 ? "This installation has no sub-domains." : "You have no sub-domain left.",
        );
      await claimSubdomain(db, { userId, name, most: subdomains }, clock.now());
      await insert(db, userId, "sub", { id, name, dkim_private: null, dkim_public: null });
    });
    return id;
  };

  const check = async (userId: string, id: string): Promise<Domain> => {
    const row = isId(id) ? await findDomain(database.db, userId, id) : undefined;
    if (!row) throw notFound();
    await checkDomain(row);
    feed.wake();
    return read(database.db, userId, id);
  };

  const readDestination = async (db: Db, userId: string, email: string): Promise<string> => {
    const key = mailboxKey(email);
    const all = await findDestinations(db, userId);
    const found = all.find((one) => mailboxKey(one.email) === key && one.confirmed_at !== null);
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

  return {
    list,
    check,
    /** Adds a domain or claims a sub-domain, and checks it once. */
    create: async (
      userId: string,
      { name, label }: { readonly name?: string; readonly label?: string },
    ): Promise<Domain> => {
      if ((name === undefined) === (label === undefined))
        throw fieldError("invalid", "name", "Enter either a domain or the name of a sub-domain.");
      const id = name === undefined ? await claim(userId, label ?? "") : await add(userId, name);
      return check(userId, id);
    },
    edit: async (
      userId: string,
      id: string,
      change: DomainChange,
      recordAnswer: RecordAnswer<Domain>,
    ): Promise<Domain> => {
      const domain = await database.transaction(async (db) => {
        await lockUser(db, userId);
        const before = await read(db, userId, id);
        const { catchAll, patterns } = { ...before, ...change };
        if (catchAll === "pattern" && patterns.length === 0)
          throw fieldError("invalid", "patterns", "Enter at least one pattern.");
        await updateDomain(db, { id, user_id: userId }, await toColumns(db, userId, change));
        await recordDomainChange(db, userId, clock.now());
        return recordAnswer(db, await read(db, userId, id));
      });
      feed.wake();
      return domain;
    },
    /** Removes a domain; its masks go to the trash. */
    remove: async (userId: string, id: string, recordAnswer: RecordAnswer<void>): Promise<void> => {
      await database.transaction(async (db) => {
        await lockUser(db, userId);
        const { name } = await read(db, userId, id);
        const now = clock.now();
        await trashMasksAt(db, { userId, domain: name }, now);
        if (!(await deleteDomainRow(db, userId, id))) throw notFound();
        await recordDomainChange(db, userId, now);
        await recordAnswer(db);
      });
      feed.wake();
    },
  };
};

export type UserDomains = ReturnType<typeof createUserDomains>;
