import type { DomainName } from "../../../core/mail/domainName.ts";
import { reportAddresses } from "../../delivery/serviceAddresses.ts";

/** A DNS record that an installation needs. Names have no final dot. */
export interface DnsRecord {
  readonly name: string;
  readonly type: "A" | "AAAA" | "MX" | "TXT" | "CNAME" | "PTR";
  /** As in a zone file; the content of a TXT record is without quotes. */
  readonly value: string;
  /** Its purpose, in one clause. */
  readonly why: string;
}

/** A DKIM record of a key that signs, has signed or will sign. */
export interface DkimRecord {
  readonly name: string;
  readonly value: string;
}

export interface DnsSetup {
  readonly maskDomain: DomainName;
  readonly publicUrl: string;
  /** The public addresses of the machine; empty while unknown. */
  readonly addresses: readonly string[];
  readonly dkim: readonly DkimRecord[];
  /** Otherwise the SPF record must include that of the next hop. */
  readonly deliversItself: boolean;
  /** True if users may claim sub-domains. */
  readonly hasSubdomains: boolean;
  /** True if a provider receives the mail of the domain and hands it over. */
  readonly receivesElsewhere: boolean;
}

/** It changes with the MTA-STS policy (RFC 8461, 3.1). */
const mtaStsId = "1";

const hostsOf = ({ publicUrl, maskDomain }: DnsSetup): readonly string[] => [
  ...new Set([new URL(publicUrl).hostname, maskDomain]),
];

const mxOf = (name: string, { maskDomain, receivesElsewhere }: DnsSetup, what: string): DnsRecord =>
  receivesElsewhere
    ? {
        ...{ name, type: "MX", value: "10 <the mail server of your service>" },
        why: `brings ${what} to the service that hands it over`,
      }
    : { name, type: "MX", value: `10 ${maskDomain}`, why: `brings ${what} here` };

/** A policy that names this machine would keep mail from a service that receives it. */
const tlsRecords = ({ maskDomain }: DnsSetup): readonly DnsRecord[] => [
  {
    name: `mta-sts.${maskDomain}`,
    type: "CNAME",
    value: maskDomain,
    why: "MTA-STS: where the policy is read",
  },
  {
    name: `_mta-sts.${maskDomain}`,
    type: "TXT",
    value: `v=STSv1; id=${mtaStsId}`,
    why: "MTA-STS: senders must use TLS",
  },
  {
    name: `_smtp._tls.${maskDomain}`,
    type: "TXT",
    value: `v=TLSRPTv1; rua=mailto:${reportAddresses(maskDomain).tls}`,
    why: "reports of failed TLS",
  },
];

/** Returns the DNS records of the installation in the recommended order of creation. */
export const dnsRecords = (setup: DnsSetup): readonly DnsRecord[] => {
  const { maskDomain, addresses, dkim, deliversItself, hasSubdomains, receivesElsewhere } = setup;
  const known = addresses.length > 0 ? addresses : ["<the public address of this machine>"];
  const hosts = hostsOf(setup).flatMap((name) =>
    known.map((value): DnsRecord => {
      const type = value.includes(":") ? "AAAA" : "A";
      return { name, type, value, why: "finds this machine" };
    }),
  );
  // The key of the installation signs mail of sub-domains, too.
  const alignment = hasSubdomains ? "r" : "s";
  const reports = reportAddresses(maskDomain);
  const sender = receivesElsewhere ? "a" : "mx";
  return [
    ...hosts,
    mxOf(maskDomain, setup, "the masks' mail"),
    ...(hasSubdomains ? [mxOf(`*.${maskDomain}`, setup, "the mail of users' sub-domains")] : []),
    {
      name: maskDomain,
      type: "TXT",
      value: deliversItself
        ? `v=spf1 ${sender} -all`
        : `v=spf1 ${sender} include:<your mail provider's SPF domain> -all`,
      why: "SPF: who may send mail of this domain",
    },
    ...dkim.map(
      ({ name, value }): DnsRecord => ({ name, type: "TXT", value, why: "DKIM: proves what is sent" }),
    ),
    {
      name: `_dmarc.${maskDomain}`,
      type: "TXT",
      value: `v=DMARC1; p=reject; adkim=${alignment}; aspf=${alignment}; rua=mailto:${reports.dmarc}`,
      why: "DMARC: forged mail of this domain is refused",
    },
    ...(receivesElsewhere ? [] : tlsRecords(setup)),
  ];
};

/** Returns the PTR records, which the owner of the addresses, mostly the hosting company, creates. */
export const reverseRecords = ({ addresses, maskDomain }: DnsSetup): readonly DnsRecord[] =>
  addresses.map((address) => ({
    name: address,
    type: "PTR",
    value: maskDomain,
    why: "reverse name, set at your hosting company: many servers refuse mail without it",
  }));

const txtLength = 255;
const quoted = (text: string): string =>
  (text.match(new RegExp(`.{1,${txtLength}}`, "g")) ?? [""])
    .map((part) => `"${part.replace(/["\\]/g, "\\$&")}"`)
    .join(" ");

const absolute = new Set(["MX", "CNAME", "PTR"]);

/** Returns the records as lines of a zone file (RFC 1035, 5). */
export const toZoneFile = (records: readonly DnsRecord[]): readonly string[] =>
  records.map(({ name, type, value }) => {
    const data = type === "TXT" ? quoted(value) : absolute.has(type) ? `${value}.` : value;
    return `${name}. 3600 IN ${type} ${data}`;
  });

/** Returns the records for a provider's form: the name within the zone, type, value, priority. */
export const toProviderForm = (records: readonly DnsRecord[], zone: string) =>
  records.map(({ name, type, value, why }) => {
    const [priority, target] = type === "MX" ? value.split(" ") : ["", value];
    const relative = name === zone ? "@" : name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
    return { name: relative, type, value: target ?? value, priority: priority ?? "", why };
  });
