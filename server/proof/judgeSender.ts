import { isIP } from "node:net";
import { type ARCData, arc, dkimVerify, dmarc, spf } from "mailauth";
import { addressParser, decodeWords } from "postal-mime";
import { toAnswerable } from "../../core/mail/answerableAddress.ts";
import { domainOf, isRelatedDomain } from "../../core/mail/emailAddress.ts";
import { readHeaderBlock } from "../mime/headerBlock.ts";
import type { MailLookup } from "../platform/dns/dnsCache.ts";
import { isPublicAddress, unmapIpv4 } from "../platform/dns/networkRanges.ts";
import { registrableDomain } from "../platform/dns/registrableDomain.ts";
import { asBuffer } from "../platform/spool/asBuffer.ts";
import { formatResults, reportedSpf } from "./authenticationResults.ts";
import { type CheckedHeader, headerLength, readCheckedHeader } from "./checkedHeader.ts";
import type { Results } from "./checkResults.ts";
import type { Coverage, UnsubscribeCoverage } from "./coverage.ts";
import type { DmarcPolicy, Evidence, SenderEnvelope, SenderProof, Verdict } from "./evidence.ts";
import { passLooseSeal } from "./looseSeal.ts";
import { alignBySuffix } from "./suffixAlignment.ts";

/** The settings of this installation that a check needs. */
export interface JudgeOptions {
  /** Our host name, in SPF macros and results. */
  readonly host: string;
  /** Domains whose ARC seals are trusted, such as those of mailing lists. */
  readonly trustedSealers: readonly string[];
  /** True if private addresses are checked like public ones. */
  readonly judgesPrivate: boolean;
  /** The host of the provider that hands mail over, whose SPF results are believed; absent for none. */
  readonly resultsHost?: string;
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
      return (
        toAnswerable(shown) !== null && domainOf(shown).toLowerCase() !== domainOf(address).toLowerCase()
      );
    },
  );

type AlignedBy = Evidence["alignedBy"];

type DkimResult = Results["dkim"]["results"][number];

/** A checked signature, and how much of the mail it covers. */
interface Checked {
  readonly result: DkimResult;
  readonly coverage: Coverage;
  readonly unsubscribe: UnsubscribeCoverage;
}

const passes = ({ status }: { readonly status: { readonly result: string } }): boolean =>
  status.result === "pass";

/** A signature that covers too little counts as none; RFC 8601, 2.7.1 calls that "policy". */
const withCoverage = (result: DkimResult, { coverage, unsubscribe }: Omit<Checked, "result">): Checked => ({
  coverage,
  unsubscribe,
  result:
    coverage === "nothing" && passes(result)
      ? { ...result, status: { ...result.status, result: "policy", comment: "covers too little" } }
      : result,
});

const notCovered = { coverage: "nothing", unsubscribe: "nothing" } as const;

const unsubscribeSigners = (signatures: readonly Checked[]): Evidence["unsubscribeSigners"] => {
  const domainsOf = (which: readonly Checked[]): readonly string[] =>
    which
      .filter(({ result }) => passes(result))
      .map(({ result }) => String(result.signingDomain ?? "").toLowerCase());
  return {
    links: domainsOf(signatures.filter(({ unsubscribe }) => unsubscribe !== "nothing")),
    oneClick: domainsOf(signatures.filter(({ unsubscribe }) => unsubscribe === "one-click")),
  };
};

const domainsOf = (signatures: readonly Checked[]) =>
  signatures
    .filter(({ result }) => passes(result))
    .map(({ result: { id, signingDomain, status } }) => ({
      ...(id === undefined ? {} : { id }),
      domain: signingDomain ?? "",
      aligned: status.aligned ?? false,
    }));

/** Checks the domains that have passed against the policy of the author's domain. */
const checkPolicy = async (
  header: CheckedHeader,
  results: Omit<Results, "dmarc">,
  signatures: readonly Checked[],
  lookup: MailLookup,
): Promise<Results> => {
  const spfDomains = results.spf && passes(results.spf) ? [results.spf.domain] : [];
  const checked = await dmarc({
    headerFrom: [...header.headerFrom],
    fromFields: header.counts.get("from") ?? 0,
    spfDomains,
    dkimDomains: domainsOf(signatures),
    ...(results.arc ? { arcResult: results.arc } : {}),
    resolver: lookup,
    strict: true,
  });
  const dkim = { ...results.dkim, results: signatures.map(({ result }) => result) };
  return alignBySuffix({ ...results, dkim, dmarc: checked });
};

/** Returns the checks that prove the domain of the author, whether or not it has a DMARC policy. */
const alignmentOf = ({ dkim, spf, dmarc }: Results, author: string, isPublic: boolean): AlignedBy => {
  const byPolicy = dmarc === false ? undefined : dmarc.alignment;
  const isUnknown = dmarc !== false && dmarc.status.result === "temperror";
  const spfDomain = spf ? spf.domain.toLowerCase() : "";
  const isOwn = (domain: string): boolean =>
    isUnknown ? domain === author : isRelatedDomain(domain, author);
  const isSpfAligned = byPolicy ? Boolean(byPolicy.spf.result) : isOwn(spfDomain);
  const isDkimAligned = byPolicy
    ? Boolean(byPolicy.dkim.result)
    : dkim.results.some(
        (one) =>
          passes(one) &&
          Boolean(one.status.aligned) &&
          (!isUnknown || isOwn(String(one.signingDomain).toLowerCase())),
      );
  return [
    ...(isPublic && spf && passes(spf) && isSpfAligned ? (["spf"] as const) : []),
    ...(isDkimAligned ? (["dkim"] as const) : []),
  ];
};

/** Returns the part of a mail that passed DMARC at a trusted server and was sealed there (RFC 8617, 7.2.1). */
const sealedByTrusted = (
  { arc }: Results,
  header: CheckedHeader,
  trustedSealers: readonly string[],
): Coverage => {
  if (arc === false || !passes(arc) || !arc.signature) return "nothing";
  const sealer = String(arc.signature.signingDomain ?? "").toLowerCase();
  const isTrusted =
    trustedSealers.includes(sealer) && arc.authenticationResults?.["dmarc"]?.result === "pass";
  return isTrusted ? (header.messageSeal?.coverage ?? "nothing") : "nothing";
};

/** The strongest policy that may apply; null where DNS does not tell. */
const possiblePolicy = (dmarc: Results["dmarc"]): DmarcPolicy | null => {
  if (dmarc === false) return "none";
  if (dmarc.status.result !== "temperror") return toPolicy(dmarc.policy);
  const { p, sp, np } = dmarc;
  if (p === undefined) return null;
  return (["reject", "quarantine"] as const).find((policy) => [p, sp, np].includes(policy)) ?? "none";
};

/** True if DNS did not answer about something that may come from the author's domain. */
const isOpen = ({ dkim, spf, dmarc }: Results, signatures: readonly Checked[], author: string): boolean => {
  if (dmarc === false) return false;
  const owner = registrableDomain(author);
  const mayAlign = (domain: string): boolean => registrableDomain(domain) === owner;
  return (
    dmarc.status.result === "temperror" ||
    (spf !== false && spf.status.result === "temperror" && mayAlign(spf.domain)) ||
    (dkim.results.length > 0 &&
      signatures.some(
        ({ result, coverage }) =>
          result.status.result === "temperror" &&
          coverage !== "nothing" &&
          mayAlign(String(result.signingDomain ?? "")),
      ))
  );
};

interface Grounds {
  readonly dmarc: Verdict;
  readonly policy: DmarcPolicy;
  readonly alignedBy: AlignedBy;
  /** True if a trusted server has sealed the essential parts. */
  readonly isSealed: boolean;
  /** True if a later check may pass. */
  readonly isUndecided: boolean;
}

const proofOf = ({ dmarc, policy, alignedBy, isSealed, isUndecided }: Grounds): SenderProof => {
  if (alignedBy.length > 0 && dmarc !== "fail") return "proven";
  if (alignedBy.includes("arc")) return "proven";
  if (isSealed) return "unproven";
  if (isUndecided) return "undecided";
  if (dmarc !== "fail" || policy === "none") return "unproven";
  return policy === "reject" ? "forged" : "suspicious";
};

interface Judgement {
  readonly header: CheckedHeader;
  readonly results: Results;
  readonly signatures: readonly Checked[];
  /** The results where only signatures count that cover all. */
  readonly proof: Results;
  readonly isPublic: boolean;
}

const toEvidence = (
  { header, results, signatures, proof, isPublic }: Judgement,
  { sender }: SenderEnvelope,
  { trustedSealers }: JudgeOptions,
): Omit<Evidence, "isTest"> => {
  const { dkim, spf, dmarc, arc } = results;
  const dmarcVerdict = dmarc ? toVerdict(dmarc.status.result) : "none";
  const has = (name: string): boolean => header.counts.has(name);
  const authors = countAuthorDomains(header.headerFrom);
  const fromFields = header.counts.get("from") ?? 0;
  const authentication = {
    spf: isPublic && spf ? toVerdict(spf.status.result) : "none",
    dkim: bestVerdict(dkim.results.map(({ status }) => status.result)),
    dmarc: isPublic ? dmarcVerdict : dmarcWithoutSpf(dmarcVerdict),
    arc: arc ? toVerdict(arc.status.result) : "none",
  } as const;
  const policy = dmarc ? toPolicy(dmarc.policy) : "none";
  const author = domainOf(header.headerFrom[0] ?? "").toLowerCase();
  const hasAuthor = authors === 1 && fromFields === 1;
  const sealed = hasAuthor ? sealedByTrusted(results, header, trustedSealers) : "nothing";
  const alignedBy: AlignedBy = hasAuthor
    ? [...alignmentOf(proof, author, isPublic), ...(sealed === "all" ? (["arc"] as const) : [])]
    : [];
  const isUndecided =
    isPublic &&
    possiblePolicy(dmarc) !== "none" &&
    dmarcVerdict !== "pass" &&
    isOpen(results, signatures, author);
  return {
    authentication,
    policy,
    proof: proofOf({
      dmarc: authentication.dmarc,
      policy,
      alignedBy,
      isSealed: sealed !== "nothing",
      isUndecided,
    }),
    results: formatResults(results, { address: sender, isPublic }),
    alignedBy,
    fromFields,
    authors,
    authorDomain: author,
    hasFalseName: header.fromLines.some(hasFalseName),
    unsubscribeSigners: unsubscribeSigners(signatures),
    hasDate: has("date"),
    hasMessageId: has("message-id"),
  };
};

const notSigned = (header: CheckedHeader): Pick<Results, "dkim" | "arc"> => ({
  dkim: {
    headerFrom: [...header.headerFrom],
    fromFields: header.counts.get("from") ?? 0,
    envelopeFrom: false,
    results: [{ status: { result: "none" }, info: "dkim=none" }],
  },
  arc: { i: false, status: { result: "none" } },
});

/**
 * Returns what the provider that hands a mail over has found by SPF, for the domain that its envelope names; false without that.
 * The provider's own address proves nobody.
 */
const spfOfProvider = (
  mail: Buffer,
  { sender }: SenderEnvelope,
  { resultsHost }: JudgeOptions,
): Results["spf"] => {
  const header = resultsHost === undefined ? null : readHeaderBlock(mail.subarray(0, headerLength(mail)));
  if (!header || resultsHost === undefined) return false;
  const reported = reportedSpf(mail, header, { host: resultsHost, sender });
  if (!reported) return false;
  const { domain, result } = reported;
  return { domain, "client-ip": "", "envelope-from": sender, status: { result }, header: "", info: "" };
};

const checkSpf = async (
  { sender, helo }: SenderEnvelope,
  remoteAddress: string,
  { host }: JudgeOptions,
  resolver: MailLookup,
): Promise<Results["spf"]> => {
  const ip = unmapIpv4(remoteAddress);
  const name = helo === false ? ip : helo;
  return spf({ sender, ip, helo: isIP(name) === 0 ? name : `[${name}]`, mta: host, resolver, strict: true });
};

/** The questions of a mail, all asked at once. */
interface Asked {
  readonly header: CheckedHeader;
  /** True if SPF is known of the client. */
  readonly isPublic: boolean;
  readonly spf: Results["spf"];
  /** The policy of the author's domain; null where DNS did not answer. */
  readonly policy: DmarcPolicy | null;
}

/**
 * Asks DNS everything that the checks of a mail need, from its header: the policy of the author's domain first, which
 * has a budget of its own, then all keys and SPF at the same time, so that no name server delays the others.
 */
export const askSenderDns = async (
  content: Uint8Array,
  envelope: SenderEnvelope,
  options: JudgeOptions,
  lookup: MailLookup,
): Promise<Asked> => {
  const mail = asBuffer(content);
  const header = readCheckedHeader(mail.subarray(0, headerLength(mail)));
  const { remoteAddress } = envelope;
  const ofProvider = remoteAddress === null ? spfOfProvider(mail, envelope, options) : false;
  const isPublic =
    remoteAddress === null ? ofProvider !== false : options.judgesPrivate || isPublicAddress(remoteAddress);
  const senderDomain = domainOf(envelope.sender) || (envelope.helo === false ? "" : envelope.helo);
  const policy = dmarc({
    headerFrom: [...header.headerFrom],
    fromFields: header.counts.get("from") ?? 0,
    // As if all of them had passed, so that their alignment is asked, too.
    spfDomains: isPublic && senderDomain !== "" ? [senderDomain] : [],
    dkimDomains: header.signatures.map(({ domain }) => ({ domain })),
    resolver: lookup,
    strict: true,
  });
  const keys = header.keyNames.map((name) => lookup(name, "TXT").catch(() => null));
  const [checked, spfResult] = await Promise.all([
    policy,
    isPublic && remoteAddress !== null ? checkSpf(envelope, remoteAddress, options, lookup) : ofProvider,
    Promise.all(keys),
  ]);
  return { header, isPublic, spf: spfResult, policy: possiblePolicy(checked) };
};

/**
 * Checks a mail's sender by SPF (RFC 7208), DKIM (RFC 6376, 8301, 8463), DMARC (RFC 9989) and ARC (RFC 8617); a signature
 * proves what it covers. `onPolicy` is called when DNS is asked, before the body is read. Rejects when the mail cannot be
 * parsed.
 */
export const judgeSender = async (
  content: Uint8Array,
  envelope: SenderEnvelope,
  options: JudgeOptions,
  lookup: MailLookup,
  onPolicy: (policy: DmarcPolicy | null) => void = () => {},
): Promise<Evidence> => {
  const mail = asBuffer(content);
  const { header, isPublic, spf: spfResult, policy } = await askSenderDns(mail, envelope, options, lookup);
  onPolicy(policy);
  const readSigned = async (): Promise<Pick<Results, "dkim" | "arc">> => {
    const checked = Buffer.concat([header.bytes, mail.subarray(headerLength(mail))]);
    const dkim = await dkimVerify(checked, { resolver: lookup, sender: envelope.sender, strict: true });
    const chain = await arc(dkim.arc as ARCData, { resolver: lookup, strict: true });
    return { dkim, arc: await passLooseSeal(checked, chain, lookup) };
  };
  const read = header.isSigned ? await readSigned() : notSigned(header);
  const signatures = read.dkim.results.map((result, n) =>
    withCoverage(result, header.signatures[n] ?? notCovered),
  );
  const found = { ...read, spf: spfResult };
  const results = await checkPolicy(header, found, signatures, lookup);
  const full = signatures.filter(({ coverage }) => coverage === "all");
  const proof =
    full.length === signatures.length || !signatures.some(({ result }) => passes(result))
      ? results
      : await checkPolicy(header, found, full, lookup);
  return {
    ...toEvidence({ header, results, signatures, proof, isPublic }, envelope, options),
    isTest: mail.includes(gtubeLine),
  };
};
