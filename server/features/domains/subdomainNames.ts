import { sql } from "kysely";
import { isReservedLabel, operatorNames } from "../../../core/domains/domain.ts";
import type { DomainName } from "../../../core/mail/domainName.ts";
import { type Random, randomHex } from "../../../core/ports/random.ts";
import { lookUp, type NameResolver } from "../../platform/dns/dnsResolver.ts";
import type { Database } from "../../platform/store/database.ts";

/** The result of the check whether a sub-domain of the installation may be claimed; "unknown" while DNS does not answer. */
export type SubdomainName = "free" | "reserved" | "in use" | "unknown";

export type CheckSubdomainName = (label: string) => Promise<SubdomainName>;

export interface SubdomainNamesOptions {
  readonly maskDomain: DomainName;
  /** The names of the installation's own hosts, as far as it knows them. */
  readonly hosts: readonly string[];
}

/** Returns the labels right under the installation's domain that its own hosts have, or have as a part of their name. */
const labelsOfHosts = ({ maskDomain, hosts }: SubdomainNamesOptions): ReadonlySet<string> => {
  const end = `.${maskDomain}`;
  return new Set(
    hosts
      .map((host) => host.toLowerCase().replace(/\.$/, ""))
      .flatMap((host) => (host.endsWith(end) ? (host.slice(0, -end.length).split(".").at(-1) ?? []) : [])),
  );
};

const addressKinds = ["resolve4", "resolve6", "resolveCname", "resolveNs"] as const;

/** Random bytes of a name that nobody has made, which is answered by wildcards alone. */
const probeBytes = 12;

/** The answers of DNS for a name, and for one that a wildcard alone answers; null while it does not answer. */
type Answers = readonly [name: readonly string[] | null, probe: readonly string[] | null];

const isDisjoint = (found: readonly string[], others: readonly string[]): boolean =>
  found.length > 0 && !found.some((one) => others.includes(one));

const stateOfAddresses = ([found, ofProbe]: Answers): SubdomainName => {
  if (found === null || ofProbe === null) return "unknown";
  return isDisjoint(found, ofProbe) ? "in use" : "free";
};

const stateOfMail = ([found, ofProbe]: Answers, maskDomain: DomainName): SubdomainName => {
  if (found === null || ofProbe === null) return "unknown";
  // A name with records of its own is not answered by the wildcard (RFC 4592, 2.2.1).
  if (found.length === 0) return ofProbe.length === 0 ? "free" : "in use";
  return isDisjoint(found, [...ofProbe, maskDomain]) ? "in use" : "free";
};

/**
 * Creates the function that says whether a name under the installation's domain may be claimed: none of its own hosts,
 * none that stands for a service, and none that DNS answers otherwise than a name that a wildcard alone answers, because
 * whoever gets the mail of a host can get certificates for it.
 */
export const createCheckSubdomainName = (
  { dns, random }: { readonly dns: NameResolver; readonly random: Random },
  options: SubdomainNamesOptions,
): CheckSubdomainName => {
  const { maskDomain } = options;
  const own = labelsOfHosts(options);
  const mxOf = (name: string) =>
    lookUp(
      dns
        .resolveMx(name)
        .then((entries) => entries.map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ""))),
    );

  return async (label) => {
    if (isReservedLabel(label) || own.has(label)) return "reserved";
    const name = `${label}.${maskDomain}`;
    const probe = `${randomHex(random, probeBytes)}.${maskDomain}`;
    const answersOf = async (ask: (of: string) => Promise<readonly string[] | null>): Promise<Answers> =>
      Promise.all([ask(name), ask(probe)]);
    const states = await Promise.all([
      answersOf(mxOf).then((answers) => stateOfMail(answers, maskDomain)),
      ...addressKinds.map((kind) => answersOf((of) => lookUp(dns[kind](of))).then(stateOfAddresses)),
    ]);
    return states.find((state) => state === "unknown") ?? states.find((state) => state !== "free") ?? "free";
  };
};

/**
 * Tells the operator about sub-domains that were claimed before their names were reserved, and about masks there that take
 * no mail any more because their names are the operator's.
 */
export const reportReservedSubdomains = async (
  { db }: Pick<Database, "db">,
  options: SubdomainNamesOptions,
  log: { readonly warn: (fields: object, message: string) => void },
): Promise<void> => {
  const own = labelsOfHosts(options);
  const labelOf = (name: string): string => name.slice(0, -options.maskDomain.length - 1);
  const claimed = await db.selectFrom("domains").where("kind", "=", "sub").select("name").execute();
  const reserved = claimed
    .map(({ name }) => name)
    .filter((name) => isReservedLabel(labelOf(name)) || own.has(labelOf(name)));
  if (reserved.length > 0)
    log.warn(
      { names: reserved },
      "users have claimed sub-domains whose names are reserved now; their masks go on, but for the names of RFC 2142 and of certificate authorities",
    );
  const { count } = await db
    .selectFrom("masks")
    .innerJoin("domains", "domains.user_id", "masks.user_id")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("domains.kind", "=", "sub")
    .where("masks.deleted_at", "is", null)
    .where((e) => e.or([...operatorNames].map((name) => e("masks.email", "like", `${name}@%`))))
    .where(sql<boolean>`masks.email like '%@' || domains.name`)
    .executeTakeFirstOrThrow();
  if (Number(count) > 0)
    log.warn(
      { masks: Number(count) },
      "masks at sub-domains take no mail any more, because their names belong to the operator (such as admin@ and hostmaster@)",
    );
};
