import addressparser from "nodemailer/lib/addressparser";
import { withoutFinalDot } from "../../core/mail/answerableAddress.ts";
import { domainOf } from "../../core/mail/emailAddress.ts";
import { registrableDomain } from "../platform/dns/registrableDomain.ts";
import {
  type Counts,
  type Coverage,
  countNames,
  coverageOf,
  type UnsubscribeCoverage,
  unsubscribeCoverageOf,
} from "./coverage.ts";
import { compactTag, coveredNames, signatureTags, type Tags } from "./tagList.ts";

/** A longer signature counts as none; real ones have up to 2 kB. */
export const maxSignatureBytes = 8_192;
/** A signature that covers more names counts as none; real ones cover up to 60. */
const maxCoveredNames = 200;
/** More signatures are not judged (RFC 6376, 6.1 leaves the number to us). */
const maxSignatures = 10;
/** ARC allows 50 sets of three fields (RFC 8617, 4.2.1); a larger chain counts as none. */
const maxSealFields = 150;
const maxSealBytes = 131_072;
/** Longer From fields name no author, and a longer Content-Type is no field. */
const maxParsedBytes = 8_192;
/** Longer fields are unfolded. */
const maxFoldedBytes = 16_384;

const sealNames: readonly string[] = ["arc-seal", "arc-message-signature", "arc-authentication-results"];

interface Field {
  /** Lower case. */
  readonly name: string;
  /** In latin1, without the last line break. */
  readonly text: string;
}

/** A DKIM or ARC signature that is judged. */
export interface CheckedSignature {
  /** In lower case. */
  readonly domain: string;
  readonly coverage: Coverage;
  readonly unsubscribe: UnsubscribeCoverage;
}

/** The part of a mail's header that the checks of a sender read, limited in size and number. */
export interface CheckedHeader {
  /** The fields that the checks need, and the empty line after them. */
  readonly bytes: Buffer;
  /** True if a check reads the body. */
  readonly isSigned: boolean;
  /** The DKIM signatures, in the order of the fields. */
  readonly signatures: readonly CheckedSignature[];
  /** The newest ARC signature of header and body; null without one. */
  readonly messageSeal: CheckedSignature | null;
  /** The DNS names of all keys, without duplicates. */
  readonly keyNames: readonly string[];
  /** The addresses in From; none where it is too long. */
  readonly headerFrom: readonly string[];
  /** The From fields; none where they are too long. */
  readonly fromLines: readonly string[];
  /** The number of fields with a name in the whole header. */
  readonly counts: Counts;
}

/** A field name and a colon, which may be after white space or on the next line, as mailauth finds it. */
const fieldStart = /^[\x21-\x39\x3b-\x7e]+[ \t\r\n]*:/;

/**
 * Splits a header as mailauth does: a line that starts no field belongs to the one before, whatever it begins with, so
 * that no reader sees a field that the checks miss.
 */
const splitFields = (header: string): readonly Field[] => {
  const lines = header.split(/\r?\n/);
  while (lines.at(-1) === "") lines.pop();
  const starts = lines.map((line) => fieldStart.test(line));
  for (let n = lines.length - 2; n >= 0; n -= 1)
    starts[n] ||= !starts[n + 1] && fieldStart.test(`${lines[n]}\r\n${lines[n + 1]}`);
  const fields: Field[] = [];
  for (let first = 0; first < lines.length; ) {
    let next = first + 1;
    while (next < lines.length && !starts[next]) next += 1;
    const text = lines.slice(first, next).join("\r\n");
    const colon = text.indexOf(":");
    if (colon !== -1)
      fields.push({ name: text.slice(0, colon).replaceAll("\r\n", "").trim().toLowerCase(), text });
    first = next;
  }
  return fields;
};

/**
 * Shortens long white space and unfolds long fields, which changes nothing in relaxed form (RFC 6376, 3.4.2): the
 * expressions of the libraries take quadratic time for both.
 */
const tidy = ({ name, text }: Field): Field => ({
  name,
  text: (text.length > maxFoldedBytes ? text.replaceAll("\r\n", "") : text).replaceAll(
    /[ \t\r\n]{33,}/g,
    " ",
  ),
});

const fieldValue = ({ text }: Field): string => text.slice(text.indexOf(":") + 1);
const lengthOf = (fields: readonly Field[]): number => fields.reduce((sum, { text }) => sum + text.length, 0);

/** Includes the members of groups (RFC 6854). */
const addressesIn = (from: readonly Field[]): readonly string[] =>
  from
    .flatMap((field) => addressparser(fieldValue(field).trim(), { flatten: true }))
    .flatMap(({ address }) => (address ? [withoutFinalDot(address)] : []));

const isUsable = ({ text }: Field): boolean =>
  text.length <= maxSignatureBytes && coveredNames(signatureTags(text)).length <= maxCoveredNames;

/** The author's own signatures first, so that others cannot take their place. */
const selectSignatures = (fields: readonly Field[], author: string): ReadonlySet<Field> => {
  const usable = fields.filter((field) => field.name === "dkim-signature" && isUsable(field));
  if (usable.length <= maxSignatures) return new Set(usable);
  const isOwn = ({ text }: Field): boolean =>
    registrableDomain(compactTag(signatureTags(text), "d")) === registrableDomain(author);
  const others = usable.filter((field) => !isOwn(field));
  return new Set([...usable.filter(isOwn), ...others].slice(0, maxSignatures));
};

const selectSeals = (fields: readonly Field[]): ReadonlySet<Field> => {
  const seals = fields.filter(({ name }) => sealNames.includes(name));
  const isChecked = seals.length <= maxSealFields && lengthOf(seals) <= maxSealBytes;
  return new Set(isChecked ? seals.filter((field) => field.text.length <= maxSignatureBytes) : []);
};

/** Returns how often each name is covered at most. */
const mostCovered = (signatures: readonly Tags[]): Counts => {
  const most = new Map<string, number>();
  for (const tags of signatures)
    for (const [name, count] of countNames(coveredNames(tags)))
      most.set(name, Math.max(most.get(name) ?? 0, count));
  return most;
};

/** Returns the last fields of each name, as many as signatures cover (RFC 6376, 5.4.2). */
const lastFields = (fields: readonly Field[], most: Counts): ReadonlySet<Field> => {
  const taken = new Map<string, number>();
  return new Set(
    fields.toReversed().filter(({ name }) => {
      const before = taken.get(name) ?? 0;
      taken.set(name, before + 1);
      return before < (most.get(name) ?? 0);
    }),
  );
};

const keyName = (tags: Tags): string => `${compactTag(tags, "s")}._domainkey.${compactTag(tags, "d")}`;

const toSignature = (tags: Tags, counts: Counts): CheckedSignature => ({
  domain: compactTag(tags, "d").toLowerCase(),
  coverage: coverageOf(tags, counts),
  unsubscribe: unsubscribeCoverageOf(tags, counts),
});

const instanceOf = (tags: Tags): number => Number(tags.get("i") ?? 0);

/** Reads the header of a mail for the checks of its sender in linear time; never throws. */
export const readCheckedHeader = (header: Buffer): CheckedHeader => {
  const all = splitFields(header.toString("latin1"));
  const counts = countNames(all.map(({ name }) => name));
  const from = all.filter(({ name }) => name === "from");
  const readable = lengthOf(from) <= maxParsedBytes ? from.map(tidy) : [];
  const headerFrom = addressesIn(readable);
  const signed = selectSignatures(all, domainOf(headerFrom[0] ?? ""));
  const seals = selectSeals(all);
  const signatures = [...signed].map(({ text }) => signatureTags(text));
  const inOrder = all.filter((field) => signed.has(field)).map(({ text }) => signatureTags(text));
  const sealTags = [...seals].map((field) => ({ name: field.name, tags: signatureTags(field.text) }));
  const [newest] = sealTags
    .filter(({ name }) => name === "arc-message-signature")
    .map(({ tags }) => tags)
    .toSorted((one, other) => instanceOf(other) - instanceOf(one));
  const covered = lastFields(all, mostCovered([...signatures, ...(newest ? [newest] : [])]));
  const kept = all.filter((field) => {
    if (field.name === "from") return readable.length > 0;
    if (field.name === "dkim-signature") return signed.has(field);
    if (sealNames.includes(field.name)) return seals.has(field);
    if (field.name === "content-type" && field.text.length > maxParsedBytes) return false;
    return covered.has(field);
  });
  const keyed = [
    ...inOrder,
    ...sealTags.filter(({ name }) => name !== "arc-authentication-results").map(({ tags }) => tags),
  ];
  return {
    bytes: Buffer.from(`${kept.map((field) => `${tidy(field).text}\r\n`).join("")}\r\n`, "latin1"),
    isSigned: signed.size + seals.size > 0,
    signatures: inOrder.map((tags) => toSignature(tags, counts)),
    messageSeal: newest ? toSignature(newest, counts) : null,
    keyNames: [...new Set(keyed.map(keyName))],
    headerFrom,
    fromLines: readable.map(({ text }) => text),
    counts,
  };
};

/** Returns the offset after the empty line that ends the header. */
export const headerLength = (mail: Buffer): number => {
  const end = mail.indexOf("\r\n\r\n");
  return end === -1 ? mail.length : end + 4;
};
