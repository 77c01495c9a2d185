import { decrypt, type Message, type PrivateKey, readMessage } from "openpgp";
import PostalMime, { type Address, type Email } from "postal-mime";
import type { MailAttachment, OpenedMail } from "../../core/ports/keyring.ts";
import { Refused } from "./refused.ts";

/** Bytes: twice what the relay takes, once it is encrypted and in base 64. */
const largestMail = 80_000_000;

/** Bytes: no mail of ours grows beyond this, however well it was compressed. */
const largestContent = 120_000_000;

const begin = "-----BEGIN PGP MESSAGE-----";
const end = "-----END PGP MESSAGE-----";

/** The key id of a mail that does not say whose it is (RFC 9580, 5.1.6). */
const anybody = "0000000000000000";

const limits = { maxNestingDepth: 50, maxHeadersSize: 1_000_000 };

const parse = (mail: Uint8Array<ArrayBuffer>): Promise<Email> =>
  PostalMime.parse(mail, limits).catch(() => {
    throw new Refused("damaged");
  });

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Uint8Array<ArrayBuffer> =>
  typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(new Uint8Array(content));

const blockIn = (text: string): string | null => {
  const start = text.indexOf(begin);
  const stop = text.indexOf(end, start);
  return start < 0 || stop < 0 ? null : text.slice(start, stop + end.length);
};

/** The encrypted message in a mail: a part of its own (RFC 3156), or in the text. */
const encryptedIn = (mail: Email): { readonly block: string; readonly isWhole: boolean } | null => {
  for (const { content } of mail.attachments) {
    const bytes = bytesOf(content);
    const first = new TextDecoder("latin1").decode(bytes.subarray(0, 200)).trimStart();
    const block = first.startsWith(begin) ? blockIn(new TextDecoder("latin1").decode(bytes)) : null;
    if (block !== null) return { block, isWhole: true };
  }
  const block = blockIn(mail.text ?? "");
  return block === null ? null : { block, isWhole: false };
};

const isFor = (message: Message<string>, keys: readonly PrivateKey[]): boolean => {
  const wanted = message.getEncryptionKeyIDs();
  return wanted.some(
    (id) => id.toHex() === anybody || keys.some((key) => key.getKeyIDs().some((known) => known.equals(id))),
  );
};

const decrypted = async (block: string, keys: readonly PrivateKey[]): Promise<Uint8Array<ArrayBuffer>> => {
  const message = await readMessage({ armoredMessage: block }).catch(() => {
    throw new Refused("damaged");
  });
  if (!isFor(message, keys)) throw new Refused("no-such-key");
  const { data } = await decrypt({
    message,
    decryptionKeys: [...keys],
    format: "binary",
    config: { maxDecompressedMessageSize: largestContent },
  }).catch(() => {
    throw new Refused("damaged");
  });
  return Uint8Array.from(data as Uint8Array);
};

const personOf = ({ name, address = "" }: Address): string =>
  name === "" ? address : address === "" ? name : `${name} <${address}>`;

const peopleOf = (addresses: readonly Address[] | undefined): string =>
  (addresses ?? [])
    .flatMap((one) => ("group" in one && one.group ? one.group : [one]))
    .map(personOf)
    .join(", ");

const dateOf = (text: string | undefined): string => {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
};

const attachmentOf = ({
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

const readable = (mail: Email, outer: Email, wasEncrypted: boolean): OpenedMail => ({
  wasEncrypted,
  subject: mail.subject ?? outer.subject ?? "",
  from: personOf(mail.from ?? outer.from ?? { name: "", address: "" }),
  to: peopleOf(mail.to ?? outer.to),
  cc: peopleOf(mail.cc ?? outer.cc),
  date: dateOf(mail.date ?? outer.date),
  text: mail.text ?? null,
  html: mail.html ?? null,
  attachments: mail.attachments.map(attachmentOf),
});

/** Reads a mail, decrypted with one of the keys where it is encrypted. */
export const openMail = async (
  mail: Uint8Array<ArrayBuffer>,
  keys: () => Promise<readonly PrivateKey[]>,
): Promise<OpenedMail> => {
  if (mail.byteLength > largestMail) throw new Refused("too-large");
  const outer = await parse(mail);
  const found = encryptedIn(outer);
  if (found === null) return readable(outer, outer, false);
  const content = await decrypted(found.block, await keys());
  if (found.isWhole) return readable(await parse(content), outer, true);
  const text = new TextDecoder().decode(content);
  return { ...readable(outer, outer, true), text, html: null };
};
