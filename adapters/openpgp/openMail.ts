import { decrypt, type Message, type PrivateKey, readMessage } from "openpgp";
import PostalMime, { type Address, type Email } from "postal-mime";
import type { MailAttachment, OpenedMail } from "../../core/ports/keyring.ts";
import { KeyringError } from "./keyringError.ts";

/** The maximum size of a mail in bytes: twice the relay's limit, for encryption and base64. */
const maxMailBytes = 80_000_000;

/** The maximum size of a decompressed mail in bytes. */
const maxContentBytes = 120_000_000;

const begin = "-----BEGIN PGP MESSAGE-----";
const end = "-----END PGP MESSAGE-----";

/** The key id of a mail that hides its recipient (RFC 9580, 5.1.6). */
const hiddenRecipientId = "0000000000000000";

const limits = { maxNestingDepth: 50, maxHeadersSize: 1_000_000 };

const parse = (mail: Uint8Array<ArrayBuffer>): Promise<Email> =>
  PostalMime.parse(mail, limits).catch(() => {
    throw new KeyringError("damaged");
  });

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Uint8Array<ArrayBuffer> =>
  typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(new Uint8Array(content));

const findBlock = (text: string): string | null => {
  const start = text.indexOf(begin);
  const stop = text.indexOf(end, start);
  return start < 0 || stop < 0 ? null : text.slice(start, stop + end.length);
};

/** Finds the encrypted message in a mail: in a part of its own (RFC 3156), or in the text. */
const findEncrypted = (mail: Email): { readonly block: string; readonly isWhole: boolean } | null => {
  for (const { content } of mail.attachments) {
    const bytes = bytesOf(content);
    const first = new TextDecoder("latin1").decode(bytes.subarray(0, 200)).trimStart();
    const block = first.startsWith(begin) ? findBlock(new TextDecoder("latin1").decode(bytes)) : null;
    if (block !== null) return { block, isWhole: true };
  }
  const block = findBlock(mail.text ?? "");
  return block === null ? null : { block, isWhole: false };
};

const canDecrypt = (message: Message<string>, keys: readonly PrivateKey[]): boolean => {
  const keyIds = message.getEncryptionKeyIDs();
  return keyIds.some(
    (id) =>
      id.toHex() === hiddenRecipientId ||
      keys.some((key) => key.getKeyIDs().some((known) => known.equals(id))),
  );
};

const decryptMessage = async (
  reading: Promise<Message<string>>,
  keys: readonly PrivateKey[],
): Promise<Uint8Array<ArrayBuffer>> => {
  const message = await reading.catch(() => {
    throw new KeyringError("damaged");
  });
  if (!canDecrypt(message, keys)) throw new KeyringError("no-such-key");
  const { data } = await decrypt({
    message,
    decryptionKeys: [...keys],
    format: "binary",
    config: { maxDecompressedMessageSize: maxContentBytes },
  }).catch(() => {
    throw new KeyringError("damaged");
  });
  return Uint8Array.from(data as Uint8Array);
};

const decryptBlock = (block: string, keys: readonly PrivateKey[]): Promise<Uint8Array<ArrayBuffer>> =>
  decryptMessage(readMessage({ armoredMessage: block }), keys);

const readBinary = async (base64: string): Promise<Message<string>> =>
  (await readMessage({
    binaryMessage: Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)),
  })) as Message<string>;

/** Decrypts the bytes of an OpenPGP message in base 64. */
export const decryptBytes = (base64: string, keys: readonly PrivateKey[]): Promise<Uint8Array<ArrayBuffer>> =>
  decryptMessage(readBinary(base64), keys);

/** Decrypts a text in an OpenPGP message in base 64; null when it is damaged or encrypted to other keys. */
export const decryptText = async (base64: string, keys: readonly PrivateKey[]): Promise<string | null> => {
  try {
    const message = await readBinary(base64);
    return (await decrypt({ message, decryptionKeys: [...keys] })).data;
  } catch {
    return null;
  }
};

const formatAddress = ({ name, address = "" }: Address): string =>
  name === "" ? address : address === "" ? name : `${name} <${address}>`;

const formatAddresses = (addresses: readonly Address[] | undefined): string =>
  (addresses ?? [])
    .flatMap((one) => ("group" in one && one.group ? one.group : [one]))
    .map(formatAddress)
    .join(", ");

const toIsoDate = (text: string | undefined): string => {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
};

const toAttachment = ({
  filename,
  mimeType,
  contentId,
  content,
}: Email["attachments"][number]): MailAttachment => ({
  name: filename ?? "",
  type: mimeType,
  contentId: (contentId ?? "").replace(/^<|>$/g, ""),
  content: bytesOf(content),
});

const toOpenedMail = (mail: Email, outer: Email, wasEncrypted: boolean): OpenedMail => ({
  wasEncrypted,
  subject: mail.subject ?? outer.subject ?? "",
  from: formatAddress(mail.from ?? outer.from ?? { name: "", address: "" }),
  to: formatAddresses(mail.to ?? outer.to),
  cc: formatAddresses(mail.cc ?? outer.cc),
  date: toIsoDate(mail.date ?? outer.date),
  messageId: mail.messageId ?? outer.messageId ?? "",
  text: mail.text ?? null,
  html: mail.html ?? null,
  attachments: mail.attachments.map(toAttachment),
});

/** Reads a mail; decrypts an encrypted one with one of the keys. Rejects with `KeyringError`. */
export const openMail = async (
  mail: Uint8Array<ArrayBuffer>,
  keys: () => Promise<readonly PrivateKey[]>,
): Promise<OpenedMail> => {
  if (mail.byteLength > maxMailBytes) throw new KeyringError("too-large");
  const outer = await parse(mail);
  const encrypted = findEncrypted(outer);
  if (encrypted === null) return toOpenedMail(outer, outer, false);
  const content = await decryptBlock(encrypted.block, await keys());
  if (encrypted.isWhole) return toOpenedMail(await parse(content), outer, true);
  const text = new TextDecoder().decode(content);
  return { ...toOpenedMail(outer, outer, true), text, html: null };
};
