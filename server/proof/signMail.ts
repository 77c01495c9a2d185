import { createHash } from "node:crypto";
import { type HeaderBlock, maxHeaderBytes, readHeaderBlock } from "../mime/headerBlock.ts";
import { sealFields } from "./arcSeal.ts";
import { selectSignedFields } from "./canonicalHeader.ts";
import type { SigningKey } from "./dkimKeys.ts";
import { type Signable, writeSignature } from "./signature.ts";

/** The longest domain with what may follow it. */
const maxDomainEnd = 300;

const emptyLine = Buffer.from("\r\n\r\n");

/** Returns the offset of the trailing line breaks, including half of one. */
const startOfLastBreaks = (bytes: Buffer): number => {
  let end = bytes.length;
  if (bytes[end - 1] === 0x0d) end -= 1;
  while (end >= 2 && bytes[end - 2] === 0x0d && bytes[end - 1] === 0x0a) end -= 2;
  return end;
};

/** A body in simple form (RFC 6376, 3.4.3) ends in exactly one line break. */
const createBodyHash = () => {
  const hash = createHash("sha256");
  let held = Buffer.alloc(0);
  return {
    add: (bytes: Buffer): void => {
      const all = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
      const end = startOfLastBreaks(all);
      hash.update(all.subarray(0, end));
      held = Buffer.from(all.subarray(end));
    },
    digest: (): string => hash.update("\r\n").digest("base64"),
  };
};

/** Reads the header with the empty line, and hashes the rest; null when the header is too large. */
const readSignedParts = async (
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<{ readonly head: Buffer; readonly bodyHash: string } | null> => {
  const body = createBodyHash();
  let head: Buffer = Buffer.alloc(0);
  let isInBody = false;
  for await (const chunk of chunks) {
    if (isInBody) {
      body.add(chunk);
      continue;
    }
    const all = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = all.subarray(0, 2).equals(emptyLine.subarray(2)) ? 0 : all.indexOf(emptyLine) + 2;
    isInBody = end !== 1;
    head = isInBody ? all.subarray(0, end + 2) : all;
    if (isInBody) body.add(all.subarray(end + 2));
    else if (head.length > maxHeaderBytes) return null;
  }
  return { head, bodyHash: body.digest() };
};

/** Returns the signature fields to be put before a mail of an account, or of the system without one. */
export type SignMail = (
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  userId?: string | null,
) => Promise<string>;

export interface SignMailDeps {
  /** The signing domain of the installation, also its name in Authentication-Results. */
  readonly domain: string;
  /** The keys of the installation and of domains of users. */
  readonly activeKeys: () => Promise<readonly SigningKey[]>;
  readonly clock: { readonly now: () => number };
}

/** Returns the domain at the end of From, in lower case, as our own mail has it; empty without one. */
const domainOfFrom = (content: Buffer, header: HeaderBlock): string => {
  const from = header.fields.find(({ name }) => name === "from");
  const value = from ? content.toString("latin1", from.valueStart, from.end) : "";
  return /@([a-z0-9.-]+)>?\s*$/i.exec(value.slice(-maxDomainEnd))?.[1]?.toLowerCase() ?? "";
};

/**
 * Returns the keys of the domain in From, if the account has proven it and it has any, otherwise those of the
 * installation.
 */
const keysFor = (
  content: Buffer,
  header: HeaderBlock,
  keys: readonly SigningKey[],
  userId: string | null | undefined,
): readonly SigningKey[] => {
  const own = keys.filter(({ domain }) => domain === undefined);
  if (own.length === keys.length) return own;
  const domain = domainOfFrom(content, header);
  const ofDomain = keys.filter((key) => key.domain === domain && key.userId === userId);
  return ofDomain.length > 0 ? ofDomain : own;
};

/**
 * Creates the function that signs outgoing mail with CRLF line endings: DKIM with each active key (RFC 6376,
 * 8463) of the domain in From or else of the installation, and an ARC seal (RFC 8617) on forwarded mail whose sender was checked.
 */
export const createSignMail =
  ({ domain, activeKeys, clock }: SignMailDeps): SignMail =>
  async (chunks, userId) => {
    const keys = await activeKeys();
    const parts = keys.length === 0 ? null : await readSignedParts(chunks);
    const header = parts && readHeaderBlock(parts.head);
    if (!parts || !header) return "";
    const signable: Signable = {
      content: parts.head,
      header,
      signed: selectSignedFields(parts.head, header),
      domain,
      time: Math.floor(clock.now() / 1_000),
      bodyHash: parts.bodyHash,
    };
    const rsaKey = keys.find((key) => key.algorithm === "rsa-sha256" && key.domain === undefined);
    const [seal, ...signatures] = await Promise.all([
      rsaKey ? sealFields(signable, rsaKey) : "",
      ...keysFor(parts.head, header, keys, userId).map((key) =>
        writeSignature({ ...signable, domain: key.domain ?? domain }, key, null),
      ),
    ]);
    return `${seal}${signatures.join("")}`;
  };
