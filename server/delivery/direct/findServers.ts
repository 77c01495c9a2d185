import type { Random } from "../../../core/ports/random.ts";
import type { DnsRecords, LookUpDns } from "../../platform/dns/dnsCache.ts";
import { DnsError } from "../../platform/dns/dnsClient.ts";
import type { MxRecord, RecordType } from "../../platform/dns/dnsMessage.ts";
import { addressInLiteral, refusedLiteral } from "../addressLiteral.ts";
import type { DeliveryOutcome } from "../transport.ts";

/** A mail server of a domain. */
export interface FoundServer {
  readonly name: string;
  /** IPv6 first. */
  readonly addresses: readonly string[];
  /** True if DNSSEC protects its name. */
  readonly isNameAuthentic: boolean;
  /** True if DNSSEC protects its name and its addresses. */
  readonly isAuthentic: boolean;
  /** The name that has its addresses; null where its own has them. */
  readonly target: string | null;
}

/** The servers of a domain in the order to be tried, or the result for mail to it. */
export type FoundServers =
  | { readonly kind: "found"; readonly servers: readonly FoundServer[] }
  | DeliveryOutcome;

export interface FindServersDeps {
  readonly lookUp: LookUpDns;
  readonly random: Pick<Random, "fraction">;
  /** True if a mail server is this one. */
  readonly isOwnName: (name: string) => boolean;
  readonly isOwnAddress: (address: string) => boolean;
  /** True if mail may be sent to an address. */
  readonly isAllowed: (address: string) => boolean;
}

/** More servers and addresses of a domain are not tried. */
const maxServers = 10;
const maxAddressesOfFamily = 4;

/** Records, or why there are none: `missing` when the name does not exist, `failed` when DNS does not answer. */
type Records = ({ readonly kind: "found" } & DnsRecords) | { readonly kind: "none" | "missing" | "failed" };

/** Looks up records; never rejects. */
export const lookUpRecords = async (lookUp: LookUpDns, name: string, type: RecordType): Promise<Records> => {
  try {
    return { kind: "found", ...(await lookUp(name, type)) };
  } catch (error) {
    const code = error instanceof DnsError ? error.code : "ESERVFAIL";
    if (code === "ENODATA") return { kind: "none" };
    return { kind: code === "ENOTFOUND" || code === "EBADNAME" ? "missing" : "failed" };
  }
};

/** The result when DNS does not answer. */
export const dnsFailure: DeliveryOutcome = {
  kind: "temporary",
  answer: "451 4.4.3 DNS does not answer for the domain of the address",
  isUnreachable: true,
};
const refused = (answer: string): DeliveryOutcome => ({ kind: "permanent", answer });

const nameOf = (name: string): string => name.replace(/\.$/, "").toLowerCase();

interface Exchange {
  readonly name: string;
  readonly priority: number;
  readonly isNameAuthentic: boolean;
}

const exchangesOf = (records: Records, domain: string): readonly Exchange[] | DeliveryOutcome => {
  switch (records.kind) {
    case "failed":
      return dnsFailure;
    case "missing":
      return refused("550 5.1.2 The domain of the address does not exist");
    case "none":
      return [{ name: domain, priority: 0, isNameAuthentic: false }];
    case "found": {
      const exchanges = (records.data as readonly MxRecord[])
        .map(({ priority, exchange }) => ({
          name: nameOf(exchange),
          priority,
          isNameAuthentic: records.isAuthentic,
        }))
        .filter(({ name }) => name !== "");
      return exchanges.length > 0 ? exchanges : refused("556 5.1.10 The domain takes no mail (null MX)");
    }
  }
};

/** Creates the search for the mail servers of a domain (RFC 5321, 5.1; RFC 7505). It never rejects. */
export const createFindServers = ({
  lookUp,
  random,
  isOwnName,
  isOwnAddress,
  isAllowed,
}: FindServersDeps): ((domain: string) => Promise<FoundServers>) => {
  const shuffle = <A>(items: readonly A[]): readonly A[] =>
    items
      .map((item) => ({ item, place: random.fraction() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ item }) => item);

  const resolve = async (exchange: Exchange) => {
    const answers = await Promise.all(
      (["AAAA", "A"] as const).map((type) => lookUpRecords(lookUp, exchange.name, type)),
    );
    const targets = answers.flatMap((answer) =>
      answer.kind === "found" && answer.target !== undefined ? [answer.target] : [],
    );
    const all = answers.map((answer) => (answer.kind === "found" ? (answer.data as readonly string[]) : []));
    const addresses = all.flatMap((family) =>
      shuffle(family.filter(isAllowed)).slice(0, maxAddressesOfFamily),
    );
    return {
      ...exchange,
      addresses,
      isOwn: isOwnName(exchange.name) || all.flat().some(isOwnAddress),
      isFailed: answers.some(({ kind }) => kind === "failed"),
      hasOthers: all.flat().length > 0,
      isAuthentic:
        exchange.isNameAuthentic && answers.every((answer) => answer.kind !== "found" || answer.isAuthentic),
      target: targets[0] ?? null,
    };
  };

  const findAmong = async (exchanges: readonly Exchange[]): Promise<FoundServers> => {
    const ordered = shuffle(exchanges)
      .toSorted((a, b) => a.priority - b.priority)
      .slice(0, maxServers);
    const resolved = await Promise.all(ordered.map(resolve));
    // Servers behind this one would send the mail back to it (RFC 5321, 5.1).
    const own = resolved.find(({ isOwn }) => isOwn)?.priority ?? Number.POSITIVE_INFINITY;
    const others = resolved.filter(({ priority }) => priority < own);
    if (others.length === 0) return refused("550 5.4.6 The mail servers of the domain lead back to this one");
    const servers = others.filter(({ addresses }) => addresses.length > 0);
    if (servers.length > 0) return { kind: "found", servers };
    if (others.some(({ isFailed }) => isFailed)) return dnsFailure;
    return refused(
      others.some(({ hasOthers }) => hasOthers)
        ? "550 5.4.4 The mail servers of the domain have no public address"
        : "550 5.4.4 The domain has no mail server with an address",
    );
  };

  return async (domain) => {
    const literal = addressInLiteral(domain, (address) => isAllowed(address) && !isOwnAddress(address));
    if (literal === "refused") return refused(refusedLiteral);
    if (literal !== null) {
      const { address } = literal;
      const unprotected = { isNameAuthentic: false, isAuthentic: false, target: null };
      return { kind: "found", servers: [{ name: address, addresses: [address], ...unprotected }] };
    }
    const exchanges = exchangesOf(await lookUpRecords(lookUp, domain, "MX"), domain);
    return "kind" in exchanges ? exchanges : findAmong(exchanges);
  };
};
