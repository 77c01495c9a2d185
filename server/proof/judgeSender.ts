import { type AuthenticateResult, authenticate } from "mailauth";
import { addressParser, decodeWords } from "postal-mime";
import { domainOf, isEmailAddress, isRelatedDomain } from "../../core/mail/emailAddress.ts";
import type { MailLookup } from "../dns/dnsCache.ts";
import { formatResults } from "./authenticationResults.ts";
import type { DmarcPolicy, Evidence, SenderEnvelope, Standing, Verdict } from "./evidence.ts";
import { passLooseSeal } from "./looseSeal.ts";
import { isPublicAddress, unmapIpv4 } from "./networks.ts";
import { alignBySuffix } from "./suffixAlignment.ts";

/** The settings of this installation that a check needs. */
export interface JudgeOptions {
  /** Our host name, in SPF macros and results. */
  readonly host: string;
  /** Domains whose ARC seals are trusted, such as those of mailing lists. */
  readonly trustedSealers: readonly string[];
  /** Whether private addresses are checked like public ones. */
  readonly judgesPrivate: boolean;
}

/** The order in which several verdicts are combined: one valid signature is enough (RFC 6376, 6.1). */
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

/** Without SPF (unknown sender address) mail without a valid signature may still come from its domain. */
const dmarcWithoutSpf = (dmarc: Verdict): Verdict => (dmarc === "fail" ? "none" : dmarc);

const countAuthorDomains = (addresses: readonly string[]): number =>
  new Set(addresses.map((address) => domainOf(address).toLowerCase())).size;

/** The name is decoded first, as a person sees it. */
const hasFalseName = (field: string): boolean =>
  addressParser(field.replace(/^[^:]*:/, "").replaceAll(/\r?\n/g, ""), { flatten: true }).some(
    ({ name, address = "" }) => {
      const shown = decodeWords(name).trim();
      return isEmailAddress(shown) && domainOf(shown).toLowerCase() !== domainOf(address).toLowerCase();
    },
  );

type AlignedBy = Evidence["alignedBy"];

/** Whether or not the domain has a DMARC policy. */
const alignmentOf = (
  { dkim, spf, dmarc }: AuthenticateResult,
  author: string,
  isPublic: boolean,
): AlignedBy => {
  const hasPolicy = dmarc !== false && dmarc.alignment !== undefined;
  const [spfDomain, byPolicy] = [spf ? spf.domain.toLowerCase() : "", hasPolicy ? dmarc.alignment : null];
  const isSpfAligned = byPolicy ? Boolean(byPolicy.spf.result) : isRelatedDomain(spfDomain, author);
  const isDkimAligned = byPolicy
    ? Boolean(byPolicy.dkim.result)
    : dkim.results.some(({ status }) => status.result === "pass" && Boolean(status.aligned));
  return [
    ...(isPublic && spf && spf.status.result === "pass" && isSpfAligned ? (["spf"] as const) : []),
    ...(isDkimAligned ? (["dkim"] as const) : []),
  ];
};

/** Whether a trusted server sealed that the mail passed DMARC there (RFC 8617, 7.2.1). */
const isSealedByTrusted = ({ arc }: AuthenticateResult, trustedSealers: readonly string[]): boolean => {
  if (arc === false || arc.status.result !== "pass" || !arc.signature) return false;
  const sealer = String(arc.signature.signingDomain ?? "").toLowerCase();
  return trustedSealers.includes(sealer) && arc.authenticationResults?.dmarc?.result === "pass";
};

const standingOf = (
  authentication: Evidence["authentication"],
  policy: DmarcPolicy,
  alignedBy: AlignedBy,
): Standing => {
  if (alignedBy.length > 0 && authentication.dmarc !== "fail") return "proven";
  if (alignedBy.includes("arc")) return "proven";
  if (authentication.dmarc !== "fail" || policy === "none") return "unproven";
  return policy === "reject" ? "forged" : "suspicious";
};

const toEvidence = (
  result: AuthenticateResult,
  { sender }: SenderEnvelope,
  isPublic: boolean,
  { trustedSealers }: JudgeOptions,
): Omit<Evidence, "isTest"> => {
  const { dkim, spf, dmarc, arc } = result;
  const dmarcVerdict = dmarc ? toVerdict(dmarc.status.result) : "none";
  const fields = dkim.headers?.parsed ?? [];
  const has = (name: string): boolean => fields.some(({ key }) => key === name);
  const headerFrom = dkim.headerFrom ?? [];
  const authors = countAuthorDomains(headerFrom);
  const fromFields = fields.filter(({ key }) => key === "from").length;
  const authentication = {
    spf: isPublic && spf ? toVerdict(spf.status.result) : "none",
    dkim: bestVerdict(dkim.results.map(({ status }) => status.result)),
    dmarc: isPublic ? dmarcVerdict : dmarcWithoutSpf(dmarcVerdict),
    arc: arc ? toVerdict(arc.status.result) : "none",
  } as const;
  const policy = dmarc ? toPolicy(dmarc.policy) : "none";
  const author = domainOf(headerFrom[0] ?? "").toLowerCase();
  const alignedBy: AlignedBy =
    authors === 1 && fromFields === 1
      ? [
          ...alignmentOf(result, author, isPublic),
          ...(isSealedByTrusted(result, trustedSealers) ? (["arc"] as const) : []),
        ]
      : [];
  return {
    authentication,
    policy,
    standing: standingOf(authentication, policy, alignedBy),
    results: formatResults(result, { address: sender, isPublic }),
    alignedBy,
    fromFields,
    authors,
    authorDomain: author,
    hasFalseName: fields.some(({ key, line }) => key === "from" && hasFalseName(line.toString())),
    hasDate: has("date"),
    hasMessageId: has("message-id"),
  };
};

/** Includes the empty line. */
const headerOf = (mail: Buffer): Buffer => {
  const end = mail.indexOf("\r\n\r\n");
  return end === -1 ? mail : mail.subarray(0, end + 4);
};

const asBuffer = (content: Uint8Array): Buffer =>
  Buffer.from(content.buffer, content.byteOffset, content.byteLength);

/** Returns the number of DKIM and ARC signatures in a mail. */
export const countSignatures = (content: Uint8Array): number =>
  headerOf(asBuffer(content))
    .toString("latin1")
    .match(/^(?:dkim-signature|arc-[a-z-]+)[ \t]*:/gim)?.length ?? 0;

/** The first signatures are the newest (RFC 6376, 6.1 leaves the number to us). */
const maxSignatures = 10;

/** Each further signature could require a hash of the whole body. */
const limitSignatures = (mail: Buffer): Buffer => {
  const header = headerOf(mail);
  let count = 0;
  const text = header.toString("latin1");
  const limited = text.replaceAll(/^dkim-signature[ \t]*:.*\r\n(?:[ \t].*\r\n)*/gim, (field) => {
    count += 1;
    return count > maxSignatures ? "" : field;
  });
  return count > maxSignatures
    ? Buffer.concat([Buffer.from(limited, "latin1"), mail.subarray(header.length)])
    : mail;
};

/**
 * Checks a mail's sender by SPF (RFC 7208), DKIM (RFC 6376, 8301, 8463), DMARC (RFC 9989) and ARC (RFC 8617).
 * Rejects when the mail cannot be parsed.
 */
export const judgeSender = async (
  content: Uint8Array,
  envelope: SenderEnvelope,
  options: JudgeOptions,
  lookup: MailLookup,
): Promise<Evidence> => {
  const { sender, helo, remoteAddress } = envelope;
  const isPublic = options.judgesPrivate || isPublicAddress(remoteAddress);
  const mail = asBuffer(content);
  // Only signatures need the body.
  const result = await authenticate(countSignatures(mail) === 0 ? headerOf(mail) : limitSignatures(mail), {
    ...(isPublic ? { ip: unmapIpv4(remoteAddress) } : {}),
    ...(helo === false ? {} : { helo }),
    sender,
    mta: options.host,
    strict: true,
    disableBimi: true,
    resolver: lookup,
  });
  const judged = alignBySuffix(await passLooseSeal(mail, result, lookup));
  return {
    ...toEvidence(judged, envelope, isPublic, options),
    isTest: mail.includes(gtubeLine),
  };
};
