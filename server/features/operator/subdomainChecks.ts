import { type DnsResolver, lookUp, texts } from "../../platform/dns/dnsResolver.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import { type Check, ok, unknown, warning } from "./check.ts";
import { noAnswer } from "./dnsChecks.ts";
import { type DnsSetup, dnsRecords } from "./dnsRecords.ts";

type Tags = ReadonlyMap<string, string>;

/** Reads the tags of a DMARC record in lower case; null for another text (RFC 7489, 6.4). */
const readDmarc = (text: string): Tags | null => {
  const tags = new Map(
    text.split(";").flatMap((part) => {
      const [name = "", value] = part.split("=").map((side) => side.trim().toLowerCase());
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  return tags.get("v") === "dmarc1" ? tags : null;
};

/** Says what receivers do with mail of a sub-domain that fails. */
const consequenceOf = (tags: Tags): string => {
  switch (tags.get("sp") ?? tags.get("p")) {
    case "reject":
      return "is refused";
    case "quarantine":
      return "goes to spam";
    default:
      return "fails DMARC";
  }
};

/**
 * The tags with which mail of a sub-domain, signed and sent by the installation's domain, does not pass. A domain with
 * `psd=y` has sub-domains that are organizations of their own, so that nothing aligns with it (DMARCbis).
 */
const strictTags = (tags: Tags): readonly string[] => [
  ...["adkim", "aspf"].filter((name) => tags.get(name) === "s").map((name) => `${name}=s`),
  ...(tags.get("psd") === "y" ? ["psd=y"] : []),
];

/** Says when mail does not pass: one of DKIM and SPF is enough, while it holds. */
const whenOf = (strict: readonly string[]): string => {
  if (strict.length > 1 || strict.includes("psd=y")) return "as it is";
  return strict.includes("adkim=s") ? "once it is forwarded" : "once a mailing list changes it";
};

const ownRecord = (setup: DnsSetup, name: string): string =>
  dnsRecords(setup).find((record) => record.name === name)?.value ?? "";

/**
 * Checks whether mail from masks at users' sub-domains passes DMARC, by the record of the installation's domain and by
 * that of the registered domain above it, which older receivers ask instead (RFC 7489, 6.6.3). What is wrong with a
 * record itself, the checks of the planned records say.
 */
export const checkSubdomainDmarc = async (dns: DnsResolver, setup: DnsSetup): Promise<Check> => {
  const { maskDomain } = setup;
  const title = `DMARC of *.${maskDomain}`;
  const own = `_dmarc.${maskDomain}`;
  const names = new Set([own, `_dmarc.${registrableDomain(maskDomain)}`]);
  let isUnknown = false;
  for (const name of names) {
    const found = await lookUp(texts(dns, name));
    isUnknown ||= found === null;
    const [tags, ...more] = (found ?? []).flatMap((text) => readDmarc(text) ?? []);
    const strict = tags && more.length === 0 ? strictTags(tags) : [];
    if (!tags || strict.length === 0) continue;
    const change =
      name === own
        ? `Create the record ${name} TXT ${ownRecord(setup, name)}`
        : `Take ${strict.join(" and ")} out of the record ${name}`;
    return warning(
      title,
      `${strict.join(" and ")} in ${name}`,
      `${change}: mail from users' sub-domains is signed by ${maskDomain}, and ${consequenceOf(tags)} ${whenOf(strict)}. Or set SUBDOMAINS=0`,
    );
  }
  return isUnknown ? unknown(title, ...noAnswer) : ok(title, "mail signed by the domain above passes");
};
