import {
  createMessage,
  encrypt,
  enums,
  generateSessionKey,
  type Key,
  type Message,
  readKey,
  type SessionKey,
} from "openpgp";
import { isMaskField } from "../../delivery/maskField.ts";
import { type HeaderBlock, type HeaderField, readHeaderBlock } from "../../mime/headerBlock.ts";
import { armorMessage } from "./armor.ts";
import { encryptToCurve25519 } from "./curve25519.ts";
import { withoutProtectionMarks } from "./protectionMarks.ts";

/** A key, or the keys of one recipient: those that have expired are left out while one can be used. */
export type RecipientKeys = string | readonly string[];

/** A complete mail to be encrypted in a worker thread. */
export interface EncryptionTask {
  readonly content: Uint8Array;
  readonly publicKey: RecipientKeys;
  /** Keys of other recipients, who can decrypt the result too. */
  readonly otherKeys?: readonly RecipientKeys[];
  /** MIME boundary of the result, which must not be guessable; null for content that is no mail. */
  readonly boundary: string | null;
  /** The address at which people without an OpenPGP program read the mail; the outer part of the mail says it. */
  readonly readAt?: string;
}

/**
 * Fields that servers and mail programs need to sort, thread and answer mail, besides those that name the masks. All
 * others, the subject included, are encrypted with the body.
 */
const clearFields = new Set([
  "received",
  "reply-to",
  "from",
  "to",
  "cc",
  "date",
  "message-id",
  "in-reply-to",
  "references",
  "auto-submitted",
  "precedence",
]);

/**
 * Marks that the header of the encrypted part is the header of the mail, as RFC 9788 (2.1) has it and as programs know it that
 * are older.
 */
const protectedHeaders = ';\r\n hp="cipher";\r\n protected-headers="v1"';

/** The subject outside, in place of the mail's own. */
const outerSubject = "Subject: ...";

const lineBreak = "\r\n";

const fieldValue = (content: Buffer, { valueStart, end }: HeaderField): string =>
  content
    .toString("latin1", valueStart, end)
    .replaceAll(/\r\n[ \t]/g, " ")
    .trim()
    .toLowerCase();

const inlineMessage = { begin: "-----BEGIN PGP MESSAGE-----", end: "-----END PGP MESSAGE-----" };
/** Bytes searched at each end of the text for the markers; mail programs add no more than a line break. */
const inlineMarginBytes = 200;

/** Text appended by a mailing list is clear text, so the message must span the whole text. */
const isInlineMessage = (content: Buffer, bodyStart: number): boolean => {
  const start = content.toString("latin1", bodyStart, bodyStart + inlineMarginBytes).trimStart();
  const end = content.toString("latin1", Math.max(bodyStart, content.length - inlineMarginBytes)).trimEnd();
  return (
    start.startsWith(inlineMessage.begin) &&
    end.endsWith(inlineMessage.end) &&
    content.indexOf(inlineMessage.end, bodyStart) === content.lastIndexOf(inlineMessage.end)
  );
};

/**
 * PGP/MIME (RFC 3156), S/MIME of an enveloped type (RFC 8551, 3.2.2; others are signed or compressed clear
 * text), or an inline PGP message.
 */
const isEncrypted = (content: Buffer, contentType: HeaderField | undefined, bodyStart: number): boolean => {
  const type = contentType ? fieldValue(content, contentType) : "text/plain";
  if (type.startsWith("multipart/encrypted")) return true;
  if (/^application\/(x-)?pkcs7-mime/.test(type)) return /smime-type\s*=\s*"?(?:auth)?enveloped/.test(type);
  return type.startsWith("text/plain") && isInlineMessage(content, bodyStart);
};

/** The fields that stand outside too. */
const readableFields = (fields: readonly HeaderField[]): readonly HeaderField[] =>
  fields.filter(({ name }) => clearFields.has(name) || isMaskField(name));

/**
 * The fields outside, as they are there (HP-Outer; RFC 9788, 2.2): from them a program knows what was hidden, and repeats it
 * in no answer that is not encrypted. Those that servers add on the way are left out.
 */
const outerFields = (content: Buffer, fields: readonly HeaderField[]): Buffer =>
  Buffer.concat([
    ...readableFields(fields)
      .filter(({ name }) => name !== "received")
      .flatMap(({ start, end }) => [Buffer.from("HP-Outer: "), content.subarray(start, end)]),
    Buffer.from(`HP-Outer: ${outerSubject}${lineBreak}`),
  ]);

/**
 * Reads a mail's header. What its sender says of the fields outside is taken out: they are written here, and it could pass off a
 * hidden one as readable. Throws when the header cannot be read.
 */
const readClearMail = (content: Buffer): { readonly content: Buffer; readonly header: HeaderBlock } => {
  const header = readHeaderBlock(content);
  if (!header) throw new Error("the header cannot be read");
  const foreign = header.fields.filter(({ name }) => name === "hp-outer");
  if (foreign.length === 0) return { content, header };
  const starts = [0, ...foreign.map(({ end }) => end)];
  return readClearMail(Buffer.concat(starts.map((start, n) => content.subarray(start, foreign[n]?.start))));
};

/** Adds the marks of protected headers to the mail's Content-Type, in place of those that it has. */
const markProtected = (content: Buffer, contentType: HeaderField | undefined): Buffer => {
  if (contentType) {
    const field = content.toString("latin1", contentType.start, contentType.end);
    const end = field.endsWith(lineBreak) ? lineBreak : "";
    const text = field.slice(0, field.length - end.length);
    const marked = `${withoutProtectionMarks(text)}${protectedHeaders}${end}`;
    return Buffer.concat([
      content.subarray(0, contentType.start),
      Buffer.from(marked, "latin1"),
      content.subarray(contentType.end),
    ]);
  }
  const added = `Content-Type: text/plain; charset=us-ascii${protectedHeaders}${lineBreak}`;
  return Buffer.concat([Buffer.from(added), content]);
};

/** Returns the mail with what protects its header. */
const toPayload = (
  content: Buffer,
  fields: readonly HeaderField[],
  contentType: HeaderField | undefined,
): Buffer => Buffer.concat([outerFields(content, fields), markProtected(content, contentType)]);

const outerHeader = (content: Buffer, fields: readonly HeaderField[], boundary: string): Buffer =>
  Buffer.concat([
    ...readableFields(fields).map(({ start, end }) => content.subarray(start, end)),
    Buffer.from(
      [
        outerSubject,
        "MIME-Version: 1.0",
        'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted";',
        ` boundary="${boundary}"`,
        "",
        "",
      ].join(lineBreak),
    ),
  ]);

/** Returns the lines that say what the mail is and where it can be read, for people whose program does not know OpenPGP. */
const explanation = (readAt: string): readonly string[] => [
  "This email is encrypted to your OpenPGP key. Nobody else can read it.",
  "Read it in a mail program that has your key, or open it here:",
  readAt,
];

/**
 * Two parts and no more, the first as RFC 3156 says (4): what explains the mail stands where every program may have a text
 * and none has to read it: before the first part, and in the description of the second.
 */
const beforeMessage = (boundary: string, readAt: string | undefined): Buffer =>
  Buffer.from(
    [
      "This is an OpenPGP/MIME encrypted message (RFC 4880 and 3156)",
      ...(readAt === undefined ? [] : explanation(readAt)),
      `--${boundary}`,
      "Content-Type: application/pgp-encrypted",
      "Content-Description: PGP/MIME version identification",
      "",
      "Version: 1",
      "",
      `--${boundary}`,
      'Content-Type: application/octet-stream; name="encrypted.asc"',
      `Content-Description: OpenPGP encrypted message${readAt === undefined ? "" : `; open it at${lineBreak} ${readAt}`}`,
      'Content-Disposition: inline; filename="encrypted.asc"',
      "",
      "",
    ].join(lineBreak),
  );

const afterMessage = (boundary: string): Buffer =>
  Buffer.from(["", "", `--${boundary}--`, ""].join(lineBreak));

/** Thrown for a key that has expired or was revoked. */
export class UnusableKey extends Error {}

const maxKnownKeys = 500;
/** By their text. A key remembers that its own signatures were verified, which takes as long as to encrypt a mail. */
const knownKeys = new Map<string, Key>();

const remember = (publicKey: string, key: Key): Key => {
  if (knownKeys.size >= maxKnownKeys) knownKeys.clear();
  knownKeys.set(publicKey, key);
  return key;
};

const readUsableKey = async (publicKey: string): Promise<Key> => {
  try {
    const known = knownKeys.get(publicKey);
    const key = known ?? remember(publicKey, await readKey({ armoredKey: publicKey }));
    // A known key may have expired since.
    await key.getEncryptionKey();
    return key;
  } catch {
    throw new UnusableKey("the key cannot be encrypted to");
  }
};

/** Returns the usable keys of a recipient, one at least. */
const readUsableKeys = async (keys: RecipientKeys): Promise<readonly Key[]> => {
  if (typeof keys === "string") return [await readUsableKey(keys)];
  const read = await Promise.all(keys.map((key) => readUsableKey(key).catch(() => null)));
  const usable = read.filter((key) => key !== null);
  if (usable.length === 0) throw new UnusableKey("none of the keys can be encrypted to");
  return usable;
};

/** Returns a packet for each key; null unless all of them are on Curve25519 and the message has no newer format. */
const packetsFor = async (
  keys: readonly Key[],
  { data, algorithm, aeadAlgorithm }: SessionKey,
): Promise<readonly Uint8Array[] | null> => {
  if (aeadAlgorithm !== undefined) return null;
  const cipher = enums.symmetric[algorithm];
  const used = await Promise.all(keys.map((key) => key.getEncryptionKey()));
  const packets = used.map(({ keyPacket }) => encryptToCurve25519(keyPacket, { cipher, data }));
  return packets.every((packet) => packet !== null) ? packets : null;
};

/** Returns the OpenPGP message without armor. */
const encryptMessage = async (message: Message<Uint8Array>, keys: readonly Key[]): Promise<Uint8Array> => {
  const encryptionKeys = [...keys];
  const sessionKey = await generateSessionKey({ encryptionKeys });
  const packets = await packetsFor(keys, sessionKey);
  if (!packets)
    return (await encrypt({ message, encryptionKeys, sessionKey, format: "binary" })) as Uint8Array;
  const content = (await encrypt({ message, sessionKey, format: "binary" })) as Uint8Array;
  return Buffer.concat([...packets, content]);
};

/** Encrypts content that is no mail; returns the OpenPGP message without armor. */
const encryptContent = async (binary: Uint8Array, keys: RecipientKeys): Promise<Uint8Array> =>
  encryptMessage(await createMessage({ binary }), await readUsableKeys(keys));

/**
 * Encrypts a mail with its header to its owner's keys as PGP/MIME (RFC 3156; docs/forwarding.md says how to undo
 * it). Returns an encrypted mail unchanged. Rejects with `UnusableKey` when all keys of a recipient are expired or revoked,
 * and otherwise when the header cannot be read; never returns clear text instead.
 */
export const encryptToKey = async ({
  content: bytes,
  publicKey,
  otherKeys = [],
  boundary,
  readAt,
}: EncryptionTask): Promise<Uint8Array> => {
  if (boundary === null) return encryptContent(bytes, publicKey);
  const { content, header } = readClearMail(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const contentType = header.fields.find(({ name }) => name === "content-type");
  if (isEncrypted(content, contentType, header.end + lineBreak.length)) return bytes;
  const message = await createMessage({
    binary: toPayload(content, header.fields, contentType),
    format: "mime",
  });
  const keys = (await Promise.all([publicKey, ...otherKeys].map(readUsableKeys))).flat();
  const encrypted = await encryptMessage(message, keys);
  return Buffer.concat([
    outerHeader(content, header.fields, boundary),
    beforeMessage(boundary, readAt),
    armorMessage(encrypted, readAt === undefined ? [] : explanation(readAt)),
    afterMessage(boundary),
  ]);
};
