import { Resolver } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { type AuthenticateResult, authenticate as check } from "mailauth";
import { addressParser, decodeWords } from "postal-mime";
import { domainOf, isEmailAddress } from "../../core/mail/emailAddress.ts";
import type { DmarcPolicy, Evidence, SpamEnvelope, Verdict } from "./spamScore.ts";

/** Resolves one DNS query of mailauth: domain and record type. */
type DnsLookup = (domain: string, type: string) => Promise<string[] | string[][]>;

/** Timeout and number of tries for one DNS server. */
const dnsTimeoutMs = 1_500;
const dnsTries = 2;

/** Maximum number of queries for one mail: SPF needs at most 10 (RFC 7208, 4.6.4), each signature one. */
const maxLookups = 60;

/** Time limit of all queries for one mail together. */
const totalLookupMs = 4_000;

const dnsTimeoutError = (): Error =>
  Object.assign(new Error("DNS has no answer in time"), { code: "ETIMEOUT" });

/** Creates the resolver for one mail. A query beyond the limits of time or number fails as a timeout. */
export const createDnsLookup = (dnsServer: string | null, limitMs = totalLookupMs): DnsLookup => {
  const resolver = new Resolver({ timeout: dnsTimeoutMs, tries: dnsTries });
  if (dnsServer !== null) resolver.setServers([dnsServer]);
  const deadline = performance.now() + limitMs;
  let count = 0;
  return async (domain, type) => {
    count += 1;
    const remainingMs = deadline - performance.now();
    if (remainingMs <= 0 || count > maxLookups) throw dnsTimeoutError();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(dnsTimeoutError()), remainingMs);
    });
    try {
      return (await Promise.race([resolver.resolve(domain, type), timeout])) as string[] | string[][];
    } finally {
      clearTimeout(timer);
    }
  };
};

const privateNetworks = new BlockList();
for (const [network, bits, family] of [
  ["127.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["::1", 128, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
] as const)
  privateNetworks.addSubnet(network, bits, family);

/** Returns an IPv4-mapped IPv6 address as IPv4 (RFC 4291, 2.5.5.2). */
const unmapIpv4 = (address: string): string => /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;

/**
 * Whether an IP address is public (RFC 6890). Mail from a private address has passed a server of the installation,
 * which hides its sender's address.
 */
const isPublicAddress = (address: string): boolean => {
  const plainAddress = unmapIpv4(address);
  const family = isIP(plainAddress);
  return family !== 0 && !privateNetworks.check(plainAddress, family === 6 ? "ipv6" : "ipv4");
};

/** Order in which several verdicts are combined: one valid signature is enough (RFC 6376, 6.1). */
const verdictsBestFirst: readonly Verdict[] = [
  "pass",
  "temperror",
  "fail",
  "policy",
  "permerror",
  "softfail",
  "neutral",
  "none",
];

/** Test line that every spam filter treats as spam (GTUBE, spamassassin.apache.org/gtube). */
const gtubeLine = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

const toVerdict = (result: string | undefined): Verdict =>
  verdictsBestFirst.find((verdict) => verdict === result) ?? "none";

const bestVerdict = (results: readonly (string | undefined)[]): Verdict =>
  verdictsBestFirst.find((verdict) => results.includes(verdict)) ?? "none";

const toPolicy = (policy: string | undefined): DmarcPolicy =>
  policy === "reject" || policy === "quarantine" ? policy : "none";

/**
 * Ignores a DMARC failure without SPF: when the sender's address is unknown, mail without a valid signature may still
 * come from its domain.
 */
const dmarcWithoutSpf = (dmarc: Verdict): Verdict => (dmarc === "fail" ? "none" : dmarc);

const countAuthorDomains = (addresses: readonly string[]): number =>
  new Set(addresses.map((address) => domainOf(address).toLowerCase())).size;

/**
 * Whether a display name in a From field is an address of another domain; the name is decoded first, as a person sees
 * it.
 */
const hasFalseName = (field: string): boolean =>
  addressParser(field.replace(/^[^:]*:/, "").replaceAll(/\r?\n/g, ""), { flatten: true }).some(
    ({ name, address = "" }) => {
      const shown = decodeWords(name).trim();
      return isEmailAddress(shown) && domainOf(shown).toLowerCase() !== domainOf(address).toLowerCase();
    },
  );

const toEvidence = (result: AuthenticateResult, isPublic: boolean, isTest: boolean): Evidence => {
  const { dkim, spf, dmarc, arc } = result;
  const dmarcVerdict = dmarc ? toVerdict(dmarc.status.result) : "none";
  const fields = dkim.headers?.parsed ?? [];
  const has = (name: string): boolean => fields.some(({ key }) => key === name);
  return {
    authentication: {
      spf: isPublic && spf ? toVerdict(spf.status.result) : "none",
      dkim: bestVerdict(dkim.results.map(({ status }) => status.result)),
      dmarc: isPublic ? dmarcVerdict : dmarcWithoutSpf(dmarcVerdict),
      arc: arc ? toVerdict(arc.status.result) : "none",
    },
    policy: dmarc ? toPolicy(dmarc.policy) : "none",
    authors: countAuthorDomains(dkim.headerFrom ?? []),
    hasFalseName: fields.some(({ key, line }) => key === "from" && hasFalseName(line.toString())),
    hasDate: has("date"),
    hasMessageId: has("message-id"),
    isTest,
  };
};

/**
 * Checks the sender of a mail by SPF, DKIM, DMARC and ARC. Runs in a worker thread; rejects when the mail cannot be
 * parsed.
 */
export const authenticateSender = async (
  content: Uint8Array,
  { sender, helo, remoteAddress }: SpamEnvelope,
  host: string,
  dnsLookup: DnsLookup,
): Promise<Evidence> => {
  const isPublic = isPublicAddress(remoteAddress);
  const mail = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const result = await check(mail, {
    ...(isPublic ? { ip: remoteAddress } : {}),
    ...(helo === false ? {} : { helo }),
    sender,
    mta: host,
    rejectRsaSha1: true,
    disableBimi: true,
    resolver: dnsLookup,
  });
  return toEvidence(result, isPublic, mail.includes(gtubeLine));
};
