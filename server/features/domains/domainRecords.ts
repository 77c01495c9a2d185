import type { DomainRecord, RecordPurpose } from "../../../core/domains/domain.ts";
import type { DnsResolver } from "../../platform/dns/dnsResolver.ts";
import { checkRecord } from "../operator/dnsChecks.ts";
import type { DnsRecord } from "../operator/dnsRecords.ts";
import type { DomainRow } from "./domainTables.ts";

/** The installation's part of the records of all domains. */
export interface DomainRecordsOptions {
  /** The name of the installation's mail server. */
  readonly maskDomain: string;
}

/** The answer of DNS for a record. */
type Found = Pick<DomainRecord, "state" | "is">;

/** The answers for the records of a domain, by purpose. */
export type FoundRecords = { readonly [P in RecordPurpose]?: Found };

/** The selector of the key of each domain, which is not one of the installation's keys. */
export const domainSelector = "bauta";

/** The text of the TXT record that proves a domain. */
const proofText = ({ token }: Pick<DomainRow, "token">): string => `bauta-verification=${token}`;

type DomainOfRecords = Pick<DomainRow, "kind" | "name" | "token" | "dkim_public">;

interface NeededRecord extends Pick<DomainRecord, "purpose" | "type" | "name" | "value"> {
  /** True if mail works without it. */
  readonly isOptional?: true;
}

const neededRecords = (
  { kind, name, token, dkim_public }: DomainOfRecords,
  { maskDomain }: DomainRecordsOptions,
): readonly NeededRecord[] => {
  const mail = { purpose: "mail", type: "MX", name, value: `10 ${maskDomain}` } as const;
  if (kind === "sub") return [mail];
  const dkim = {
    purpose: "dkim",
    type: "TXT",
    name: `${domainSelector}._domainkey.${name}`,
    value: `v=DKIM1; k=rsa; p=${dkim_public}`,
  } as const;
  return [
    { purpose: "proof", type: "TXT", name, value: proofText({ token }) },
    mail,
    ...(dkim_public === null ? [] : [dkim]),
    { purpose: "spf", type: "TXT", name, value: `v=spf1 include:${maskDomain} ~all`, isOptional: true },
    {
      purpose: "dmarc",
      type: "TXT",
      name: `_dmarc.${name}`,
      value: "v=DMARC1; p=quarantine",
      isOptional: true,
    },
  ];
};

const notChecked: Found = { state: "unknown", is: "" };

/** Returns the records of a domain with what the last check found. */
export const recordsOf = (
  domain: DomainOfRecords & Pick<DomainRow, "found">,
  options: DomainRecordsOptions,
): readonly DomainRecord[] => {
  const found = JSON.parse(domain.found) as FoundRecords;
  return neededRecords(domain, options).map(({ purpose, type, name, value }) => ({
    purpose,
    type,
    name,
    value,
    ...(found[purpose] ?? notChecked),
  }));
};

const checkOne = async (
  dns: DnsResolver,
  { purpose, name, type, value, isOptional }: NeededRecord,
  { maskDomain }: DomainRecordsOptions,
): Promise<Found> => {
  const record: DnsRecord = { name, type, value, why: "" };
  const { state, is } = await checkRecord(dns, record);
  if (purpose === "spf" && state === "ok") {
    const texts = await dns.resolveTxt(name).catch(() => []);
    const includes = texts.some((parts) => parts.join("").toLowerCase().includes(`include:${maskDomain}`));
    return { state: includes ? "ok" : "warning", is };
  }
  const missing = isOptional ? "warning" : "problem";
  return { state: state === "problem" || state === "warning" ? missing : state, is };
};

/** Asks DNS for the records of a domain. */
export const findRecords = async (
  dns: DnsResolver,
  domain: DomainOfRecords,
  options: DomainRecordsOptions,
): Promise<FoundRecords> => {
  const entries = await Promise.all(
    neededRecords(domain, options).map(
      async (record) => [record.purpose, await checkOne(dns, record, options)] as const,
    ),
  );
  return Object.fromEntries(entries);
};
