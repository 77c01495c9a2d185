import { createMessage, encrypt, type Key, readKey } from "openpgp";
import { type HeaderField, readHeaderBlock } from "../relay/headerBlock.ts";
import { armoredMessage } from "./armor.ts";

/** A mail to be encrypted, complete as it would be sent. */
export interface ClearMail {
  readonly content: Uint8Array;
  /** ASCII-armoured public key. */
  readonly publicKey: string;
  /** Tells the parts of the result apart; nobody can guess it from outside. */
  readonly boundary: string;
}

/**
 * What stays readable, because mail servers and mail programs sort, thread and answer by it. Everything else of the
 * header is encrypted with the body, the subject first of all.
 */
const inTheClear = new Set([
  "received",
  "x-bauta-mask",
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

/** Stands in the encrypted part's Content-Type: the header there is the mail's own. */
const protectedHeaders = ';\r\n protected-headers="v1"';

const lineBreak = "\r\n";

const fieldValue = (content: Buffer, { valueStart, end }: HeaderField): string =>
  content
    .toString("latin1", valueStart, end)
    .replaceAll(/\r\n[ \t]/g, " ")
    .trim()
    .toLowerCase();

const inlineMessage = { begin: "-----BEGIN PGP MESSAGE-----", end: "-----END PGP MESSAGE-----" };
/** No mail program writes more around a message in the text than a line break. */
const looked = 200;

/** Whether the text is a message from its beginning to its end: what a mailing list has put below it is clear text. */
const isInlineMessage = (content: Buffer, bodyStart: number): boolean => {
  const [start, end] = [
    content.toString("latin1", bodyStart, bodyStart + looked).trimStart(),
    content.toString("latin1", Math.max(bodyStart, content.length - looked)).trimEnd(),
  ];
  return (
    start.startsWith(inlineMessage.begin) &&
    end.endsWith(inlineMessage.end) &&
    content.indexOf(inlineMessage.end, bodyStart) === content.lastIndexOf(inlineMessage.end)
  );
};

/**
 * PGP/MIME (RFC 3156), S/MIME (RFC 8551, 3.2.2: of its types those that are enveloped, as others are signed or
 * compressed clear text), or a message in the text as older programs write it.
 */
const isEncrypted = (content: Buffer, contentType: HeaderField | undefined, bodyStart: number): boolean => {
  const type = contentType ? fieldValue(content, contentType) : "text/plain";
  if (type.startsWith("multipart/encrypted")) return true;
  if (/^application\/(x-)?pkcs7-mime/.test(type)) return /smime-type\s*=\s*"?(?:auth)?enveloped/.test(type);
  return type.startsWith("text/plain") && isInlineMessage(content, bodyStart);
};

/** The mail as it is encrypted: its own bytes, with the one mark in its Content-Type. */
const payload = (content: Buffer, contentType: HeaderField | undefined): Buffer => {
  if (contentType) {
    const end = content.toString("latin1", contentType.start, contentType.end).endsWith(lineBreak)
      ? contentType.end - lineBreak.length
      : contentType.end;
    return Buffer.concat([content.subarray(0, end), Buffer.from(protectedHeaders), content.subarray(end)]);
  }
  const added = `Content-Type: text/plain; charset=us-ascii${protectedHeaders}${lineBreak}`;
  return Buffer.concat([Buffer.from(added), content]);
};

const outerHeader = (content: Buffer, fields: readonly HeaderField[], boundary: string): Buffer =>
  Buffer.concat([
    ...fields
      .filter(({ name }) => inTheClear.has(name))
      .map(({ start, end }) => content.subarray(start, end)),
    Buffer.from(
      [
        "Subject: ...",
        "MIME-Version: 1.0",
        'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted";',
        ` boundary="${boundary}"`,
        "",
        "",
      ].join(lineBreak),
    ),
  ]);

const beforeMessage = (boundary: string): Buffer =>
  Buffer.from(
    [
      "This is an OpenPGP/MIME encrypted message (RFC 4880 and 3156)",
      `--${boundary}`,
      "Content-Type: application/pgp-encrypted",
      "Content-Description: PGP/MIME version identification",
      "",
      "Version: 1",
      "",
      `--${boundary}`,
      'Content-Type: application/octet-stream; name="encrypted.asc"',
      "Content-Description: OpenPGP encrypted message",
      'Content-Disposition: inline; filename="encrypted.asc"',
      "",
      "",
    ].join(lineBreak),
  );

const afterMessage = (boundary: string): Buffer => Buffer.from(["", "", `--${boundary}--`, ""].join(lineBreak));

/** A key that mail cannot be encrypted to any more: it has expired, or was revoked. */
export class UnusableKey extends Error {}

const usable = async (publicKey: string): Promise<Key> => {
  try {
    const key = await readKey({ armoredKey: publicKey });
    await key.getEncryptionKey();
    return key;
  } catch {
    throw new UnusableKey("the key cannot be encrypted to");
  }
};

/**
 * Encrypts a mail to its owner's key as PGP/MIME (RFC 3156) with its header inside (docs/forwarding.md says how to
 * undo it). Mail that came encrypted is answered as it is. Rejects with `UnusableKey` when the key does not serve any
 * more, otherwise when the mail has no header that can be read; never answers clear text instead.
 */
export const encryptMail = async ({
  content: bytes,
  publicKey,
  boundary,
}: ClearMail): Promise<Uint8Array> => {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readHeaderBlock(content);
  if (!header) throw new Error("the header cannot be read");
  const contentType = header.fields.find(({ name }) => name === "content-type");
  if (isEncrypted(content, contentType, header.end + lineBreak.length)) return bytes;
  const message = await createMessage({ binary: payload(content, contentType), format: "mime" });
  const encryptionKeys = await usable(publicKey);
  const encrypted = await encrypt({ message, encryptionKeys, format: "binary" });
  return Buffer.concat([
    outerHeader(content, header.fields, boundary),
    beforeMessage(boundary),
    armoredMessage(encrypted as Uint8Array),
    afterMessage(boundary),
  ]);
};
