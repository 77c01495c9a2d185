import { isIP } from "node:net";
import { type DomainName, isNameOf } from "../../../core/mail/domainName.ts";
import type { AskDns } from "../../platform/dns/dnsClient.ts";
import { type DnsResolver, lookUp, texts } from "../../platform/dns/dnsResolver.ts";
import { type Check, ok, problem, unknown, warning } from "./check.ts";
import { type DnsRecord, type DnsSetup, dnsRecords } from "./dnsRecords.ts";

/** The state and the advice while DNS does not answer. */
export const noAnswer = [
  "DNS does not answer",
  "Try again, or name another resolver with DNS_SERVER",
] as const;
const make = ({ name, type, value }: DnsRecord): string => `Create the record ${name} ${type} ${value}`;

const checkAddress = async (dns: DnsResolver, record: DnsRecord): Promise<Check> => {
  const title = `${record.type} of ${record.name}`;
  const isIpv6 = record.type === "AAAA";
  const found = await lookUp(isIpv6 ? dns.resolve6(record.name) : dns.resolve4(record.name));
  if (found === null) return unknown(title, ...noAnswer);
  if (isIP(record.value) === 0)
    return found.length > 0 ? ok(title, found.join(", ")) : problem(title, "missing", make(record));
  if (found.includes(record.value)) return ok(title, found.join(", "));
  return problem(title, found.join(", ") || "missing", make(record));
};

/** A name that exists only through a wildcard. */
const wildcardProbe = "any-name-at-all";

const isPlaceholder = (value: string): boolean => value.includes("<");
const isThisMachine = (exchange: string, { name }: DnsRecord): boolean =>
  exchange === name.replace(/^\*\./, "").toLowerCase();

const checkMx = async (dns: DnsResolver, record: DnsRecord): Promise<Check> => {
  const title = `MX of ${record.name}`;
  const isWildcard = record.name.startsWith("*.");
  const found = await lookUp(
    dns
      .resolveMx(isWildcard ? record.name.replace("*", () => wildcardProbe) : record.name)
      .then((entries) =>
        entries
          .toSorted((a, b) => a.priority - b.priority)
          .map(({ exchange }) => exchange.replace(/\.$/, "").toLowerCase()),
      ),
  );
  if (found === null) return unknown(title, ...noAnswer);
  const [first] = found;
  const [, planned = ""] = record.value.split(" ");
  const isOfService = isPlaceholder(record.value) && first !== undefined && !isThisMachine(first, record);
  if (isOfService || first === planned) return ok(title, found.join(", "));
  return (isWildcard ? warning : problem)(title, first ?? "missing", make(record));
};

/** The prefix of each kind of TXT record, and what a present one must contain. */
const txtKinds: readonly { readonly begins: string; readonly title: string; readonly isRequired: boolean }[] =
  [
    { begins: "v=spf1", title: "SPF", isRequired: true },
    { begins: "v=DMARC1", title: "DMARC", isRequired: true },
    { begins: "v=DKIM1", title: "DKIM", isRequired: true },
    { begins: "v=STSv1", title: "MTA-STS", isRequired: false },
    { begins: "v=TLSRPTv1", title: "TLS reports", isRequired: false },
  ];

const plain = (text: string): string => text.replace(/\s+/g, "").toLowerCase();

const checkTxt = async (dns: DnsResolver, record: DnsRecord): Promise<Check> => {
  const kind = txtKinds.find(({ begins }) => record.value.startsWith(begins));
  const title = `${kind?.title ?? "TXT"} of ${record.name}`;
  const found = await lookUp(texts(dns, record.name));
  if (found === null) return unknown(title, ...noAnswer);
  const own = found.filter((text) => plain(text).startsWith(plain(kind?.begins ?? record.value)));
  const [only] = own;
  if (only === undefined) return (kind?.isRequired ? problem : warning)(title, "missing", make(record));
  if (own.length > 1)
    return problem(title, `${own.length} records`, "Keep one of them: with several, none counts");
  if (kind?.title === "DKIM" && plain(only) !== plain(record.value))
    return problem(title, "another key", make(record));
  const [placeholder] = /<[^>]*>/.exec(only) ?? [];
  if (placeholder !== undefined)
    return problem(title, only, `Replace ${placeholder}: the record does not count as it is`);
  return ok(title, only.length > 60 ? `${only.slice(0, 57)}…` : only);
};

const checkCname = async (dns: DnsResolver, record: DnsRecord): Promise<Check> => {
  const title = `address of ${record.name}`;
  const found = await lookUp(dns.resolve4(record.name).catch(() => dns.resolve6(record.name)));
  if (found === null) return unknown(title, ...noAnswer);
  return found.length > 0 ? ok(title, found.join(", ")) : warning(title, "missing", make(record));
};

/** Compares a record with the current DNS answer. */
export const checkRecord = (dns: DnsResolver, record: DnsRecord): Promise<Check> => {
  switch (record.type) {
    case "A":
    case "AAAA":
      return checkAddress(dns, record);
    case "MX":
      return checkMx(dns, record);
    case "CNAME":
      return checkCname(dns, record);
    case "TXT":
    case "PTR":
      return checkTxt(dns, record);
  }
};

const checkReverse = async (dns: DnsResolver, address: string, maskDomain: DomainName): Promise<Check> => {
  const title = `PTR of ${address}`;
  const found = await lookUp(dns.reverse(address));
  if (found === null) return unknown(title, ...noAnswer);
  if (found.some((name) => isNameOf(name, maskDomain))) return ok(title, maskDomain);
  return problem(
    title,
    found.join(", ") || "missing",
    `Ask your hosting company for the reverse name ${maskDomain}: many servers refuse mail without it`,
  );
};

/** Compares each planned record with the current DNS answer. */
export const checkDns = async (dns: DnsResolver, setup: DnsSetup): Promise<readonly Check[]> => {
  const records = dnsRecords(setup).map((record) => checkRecord(dns, record));
  const reverse = setup.addresses.map((address) => checkReverse(dns, address, setup.maskDomain));
  return Promise.all([...records, ...reverse]);
};

/** A name whose records are signed, so that a resolver that checks DNSSEC says so of its answer. */
const signedName = "ietf.org";

/**
 * Checks whether direct delivery can use DANE: the resolver checks DNSSEC, and is believed because it runs on this
 * machine or the settings say so.
 */
export const checkDnssec = async (ask: AskDns, isBelieved: boolean): Promise<Check> => {
  const title = "DNSSEC of the resolver";
  const answer = await ask(signedName, "A").catch(() => null);
  if (answer === null) return unknown(title, ...noAnswer);
  const advice =
    "DANE protects mail to many domains: let a resolver that checks DNSSEC, such as unbound, run here";
  if (!answer.isAuthentic) return warning(title, "not checked", advice);
  return isBelieved
    ? ok(title, "checked")
    : warning(
        title,
        "checked, but not believed",
        `${advice}, or set DNSSEC=on if nobody can change its answers`,
      );
};

/** Public block lists, and where the owner of an address asks to be taken off. */
const blockLists: Readonly<Record<string, string>> = {
  "zen.spamhaus.org": "https://check.spamhaus.org",
  "bl.spamcop.net": "https://www.spamcop.net/bl.shtml",
  "b.barracudacentral.org": "https://www.barracudacentral.org/rbl/removal-request",
};

/** Queries public block lists for an IPv4 address, which discloses it to them. Lists answer with 127.0.0.0/8 (RFC 5782). */
export const checkBlockLists = (dns: DnsResolver, address: string): Promise<readonly Check[]> =>
  Promise.all(
    Object.entries(blockLists).map(async ([list, page]) => {
      const title = `${address} on ${list}`;
      const found = await lookUp(dns.resolve4(`${address.split(".").reverse().join(".")}.${list}`));
      if (found === null) return unknown(title, ...noAnswer);
      // 127.255.255.x means that the list does not answer this resolver.
      if (found.some((one) => one.startsWith("127.255.")))
        return unknown(
          title,
          "the list does not answer this resolver",
          "Set DNS_SERVER to a resolver of your own",
        );
      return found.some((one) => one.startsWith("127."))
        ? problem(title, "listed", `Have the address removed: ${page}`)
        : ok(title, "not listed");
    }),
  );
