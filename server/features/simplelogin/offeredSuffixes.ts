import { type DomainName, isSameDomain } from "../../../core/mail/domainName.ts";
import { mayChoosePrefix } from "../../../core/tiers/tier.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { sameHash } from "../../platform/ops/keyedHash.ts";
import type { TokenGrant } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";
import type { UserRow } from "../../platform/store/users.ts";
import { findDomainsForNewMasks } from "../masks/addressRight.ts";
import { chosenFormat, generateAddress } from "../masks/maskAddress.ts";
import type { Suffix } from "./contract/simpleLoginAliasEndpoints.ts";
import { secondsOf } from "./contract/simpleLoginValues.ts";

/** The minutes for which an offered suffix can be chosen. */
export const suffixMinutes = 10;

type SuffixDeps = Pick<ServerContext, "hash" | "clock" | "random" | "config">;

const markOf = ({ hash }: SuffixDeps, userId: string, suffix: string, time: number): string =>
  hash("offered-suffix", userId, suffix, String(time));

const sign = (deps: SuffixDeps, userId: string, suffix: string, isCustom: boolean): Suffix => {
  const time = secondsOf(deps.clock.now());
  return {
    suffix,
    signed_suffix: `${suffix}.${time}.${markOf(deps, userId, suffix, time)}`,
    is_custom: isCustom,
    is_premium: false,
  };
};

/** A suffix that was offered, with what stands for its use. */
export interface OfferedSuffix {
  readonly suffix: string;
  readonly use: { readonly hash: string; readonly endsAt: number };
}

/** Returns a suffix that this server has signed for the user; null for another text, "expired" after `suffixMinutes`. */
export const readSignedSuffix = (
  deps: SuffixDeps,
  userId: string,
  signed: string,
): OfferedSuffix | "expired" | null => {
  const [, suffix = "", time = "", mark = ""] = /^(.{1,320})\.(\d{1,12})\.([\w-]{43})$/.exec(signed) ?? [];
  if (suffix === "" || !sameHash(mark, markOf(deps, userId, suffix, Number(time)))) return null;
  const lastS = Number(time) + suffixMinutes * 60;
  if (secondsOf(deps.clock.now()) > lastS) return "expired";
  return { suffix, use: { hash: deps.hash("offered-suffix", "used", mark), endsAt: (lastS + 1) * 1_000 } };
};

/**
 * Returns what a new address of the user can end with, for a token at its domain alone: a random part at the domain of the
 * installation, and each domain of the user.
 */
export const offerSuffixes = async (
  db: Db,
  deps: SuffixDeps,
  user: UserRow,
  token: Pick<TokenGrant, "domain"> | null,
): Promise<readonly Suffix[]> => {
  const { maskDomain } = deps.config;
  const parts = { prefix: null, format: chosenFormat(user).maskFormat };
  const own = await findDomainsForNewMasks(db, user.id, deps.clock.now());
  const isAllowed = (domain: DomainName): boolean => isSameDomain(token?.domain ?? domain, domain);
  return [
    ...(mayChoosePrefix(user.tier) && isAllowed(maskDomain)
      ? [sign(deps, user.id, `.${generateAddress(deps.random, maskDomain, parts)}`, false)]
      : []),
    ...own.flatMap(({ name }) => (isAllowed(name) ? [sign(deps, user.id, `@${name}`, true)] : [])),
  ];
};
