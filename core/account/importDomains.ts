import { type Domain, DomainChange, roleOf, takesMasks } from "../domains/domain.ts";
import { type DomainName, isSameDomain, toDomainName } from "../mail/domainName.ts";
import { domainOf, localPartOf } from "../mail/emailAddress.ts";
import { addressFields } from "../masks/maskFormat.ts";
import type { ImportRow } from "./importSources.ts";

/** The change of a domain's treatment of mail for addresses without a mask. */
export type CatchAllChange = Pick<DomainChange, "catchAll" | "patterns" | "approveFirst">;

/** A domain of the addresses in a file. */
export interface ImportDomain {
  readonly name: DomainName;
  /** The number of addresses of the file that are at it. */
  readonly addresses: number;
  /** The account's own domain, where it is proven; null otherwise: masks of these addresses get new ones. */
  readonly proven: Pick<Domain, "id" | "kind" | "catchAll"> | null;
  /** The change of its catch-all that the import makes after the masks; null for none. */
  readonly catchAll: CatchAllChange | null;
}

/** The address that a new mask keeps, as the request for it names it. */
export interface KeptAddress {
  readonly domain: DomainName;
  readonly localPart: string;
}

/** Returns the domain of an address; null for a text that is no address. */
const domainOfAddress = (address: string): DomainName | null =>
  address.includes("@") ? toDomainName(domainOf(address)) : null;

/** Returns the address that a mask can keep because its domain is proven; null when it gets a new one. */
export const keptAddress = (address: string, domains: readonly ImportDomain[]): KeptAddress | null => {
  const name = domainOfAddress(address);
  const domain = name === null ? undefined : domains.find((one) => isSameDomain(one.name, name));
  if (name === null || !domain?.proven) return null;
  const localPart = addressFields.localPart.decode(localPartOf(address));
  if (localPart._tag === "Left") return null;
  // Such names are the operator's at a sub-domain of the installation.
  if (domain.proven.kind === "sub" && roleOf(localPart.right) !== null) return null;
  return { domain: name, localPart: localPart.right };
};

/** The catch-all of the domains in an export of this product, by name. */
const exportedCatchAll = (exported: unknown): ReadonlyMap<DomainName, CatchAllChange> =>
  new Map(
    (Array.isArray(exported) ? exported : []).flatMap((one: unknown) => {
      const written = (one as { readonly name?: unknown } | null)?.name;
      const name = typeof written === "string" ? toDomainName(written) : null;
      const change = DomainChange.decode(one);
      if (name === null || change._tag === "Left") return [];
      const { catchAll = "off", patterns = [], approveFirst = false } = change.right;
      return catchAll === "off" ? [] : [[name, { catchAll, patterns, approveFirst }] as const];
    }),
  );

/**
 * Returns the domains of the addresses in a file, those with the most addresses first. A catch-all that an export of this
 * product has is taken over where the domain has none here.
 */
export const domainsOfImport = (
  rows: readonly ImportRow[],
  exported: unknown,
  own: readonly Domain[],
  now: number,
): readonly ImportDomain[] => {
  const counts = new Map<DomainName, number>();
  for (const row of rows) {
    const name = row.kind === "mask" ? domainOfAddress(row.mask.address) : null;
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const catchAlls = exportedCatchAll(exported);
  return [...counts]
    .map(([name, addresses]): ImportDomain => {
      const proven = own.find((one) => isSameDomain(one.name, name) && takesMasks(one, now)) ?? null;
      const catchAll = proven?.catchAll === "off" ? (catchAlls.get(name) ?? null) : null;
      return { name, addresses, proven, catchAll };
    })
    .toSorted((one, other) => other.addresses - one.addresses || (one.name < other.name ? -1 : 1));
};
