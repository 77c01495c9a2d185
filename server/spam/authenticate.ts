import { type AuthenticateResult, authenticate as check } from "mailauth";
import { addressParser, decodeWords } from "postal-mime";
import { domainOf, isEmailAddress } from "../../core/mail/emailAddress.ts";
import type { DmarcPolicy, Evidence, SpamEnvelope, Verdict } from "./evidence.ts";
import type { Lookup } from "./lookups.ts";
import { isPublicAddress } from "./publicAddress.ts";

/** Which of several verdicts speaks for all: one good signature is enough (RFC 6376, 6.1). */
const bestFirst: readonly Verdict[] = [
  "pass",
  "temperror",
  "fail",
  "policy",
  "permerror",
  "softfail",
  "neutral",
  "none",
];

/** The line that every spam filter takes for spam (GTUBE, spamassassin.apache.org/gtube). */
const testMessage = "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X";

const verdictOf = (result: string | undefined): Verdict =>
  bestFirst.find((verdict) => verdict === result) ?? "none";

const best = (results: readonly (string | undefined)[]): Verdict =>
  bestFirst.find((verdict) => results.includes(verdict)) ?? "none";

const policyOf = (policy: string | undefined): DmarcPolicy =>
  policy === "reject" || policy === "quarantine" ? policy : "none";

/**
 * Without the sender's address SPF cannot be checked, and then a mail without a good signature may still be from its
 * domain: DMARC can only be passed.
 */
const fromElsewhere = (dmarc: Verdict): Verdict => (dmarc === "fail" ? "none" : dmarc);

const authorsOf = (addresses: readonly string[]): number =>
  new Set(addresses.map((address) => domainOf(address).toLowerCase())).size;

/** Of what stands behind "From:"; the name is looked at as a person sees it. */
const hasFalseName = (field: string): boolean =>
  addressParser(field.replace(/^[^:]*:/, "").replaceAll(/\r?\n/g, ""), { flatten: true }).some(
    ({ name, address = "" }) => {
      const shown = decodeWords(name).trim();
      return isEmailAddress(shown) && domainOf(shown).toLowerCase() !== domainOf(address).toLowerCase();
    },
  );

const evidenceIn = (result: AuthenticateResult, isPublic: boolean, isTest: boolean): Evidence => {
  const { dkim, spf, dmarc, arc } = result;
  const dmarcVerdict = dmarc ? verdictOf(dmarc.status.result) : "none";
  const fields = dkim.headers?.parsed ?? [];
  const has = (name: string): boolean => fields.some(({ key }) => key === name);
  return {
    authentication: {
      spf: isPublic && spf ? verdictOf(spf.status.result) : "none",
      dkim: best(dkim.results.map(({ status }) => status.result)),
      dmarc: isPublic ? dmarcVerdict : fromElsewhere(dmarcVerdict),
      arc: arc ? verdictOf(arc.status.result) : "none",
    },
    policy: dmarc ? policyOf(dmarc.policy) : "none",
    authors: authorsOf(dkim.headerFrom ?? []),
    hasFalseName: fields.some(({ key, line }) => key === "from" && hasFalseName(line.toString())),
    hasDate: has("date"),
    hasMessageId: has("message-id"),
    isTest,
  };
};

/** Checks who a mail is from: SPF, DKIM, DMARC and ARC. Runs in a thread; rejects with a mail that cannot be read. */
export const authenticate = async (
  content: Uint8Array,
  { sender, helo, remoteAddress }: SpamEnvelope,
  host: string,
  lookup: Lookup,
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
    resolver: lookup,
  });
  return evidenceIn(result, isPublic, mail.includes(testMessage));
};
