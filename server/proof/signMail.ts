import { createHash } from "node:crypto";
import { readHeaderBlock } from "../delivery/headerBlock.ts";
import { sealFields } from "./arcSeal.ts";
import type { SigningKey } from "./dkimKeys.ts";
import { type Signable, writeSignature } from "./signature.ts";

/** Returns the hash of a body in simple form (RFC 6376, 3.4.3): it ends in exactly one line break. */
const hashBody = (body: Buffer): string => {
  let end = body.length;
  while (end >= 2 && body[end - 2] === 0x0d && body[end - 1] === 0x0a) end -= 2;
  return createHash("sha256").update(body.subarray(0, end)).update("\r\n").digest("base64");
};

/** Returns the fields that prove where a mail comes from, to be put before it. */
export type SignMail = (content: Uint8Array) => Promise<string>;

export interface SignMailDeps {
  /** The domain that signs, and its name in Authentication-Results. */
  readonly domain: string;
  readonly activeKeys: () => Promise<readonly SigningKey[]>;
  readonly clock: { readonly now: () => number };
}

/**
 * Creates the function that signs outgoing mail: DKIM with each active key (RFC 6376, 8463), and on forwarded mail whose
 * sender was checked an ARC seal (RFC 8617). The mail must have CRLF line endings.
 */
export const createSignMail =
  ({ domain, activeKeys, clock }: SignMailDeps): SignMail =>
  async (bytes) => {
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const header = readHeaderBlock(content);
    const keys = await activeKeys();
    if (!header || keys.length === 0) return "";
    const emptyLine = content[header.end] === 0x0d ? 2 : 0;
    const signable: Signable = {
      content,
      header,
      domain,
      time: Math.floor(clock.now() / 1_000),
      bodyHash: hashBody(content.subarray(header.end + emptyLine)),
    };
    const rsaKey = keys.find(({ algorithm }) => algorithm === "rsa-sha256");
    const [seal, ...signatures] = await Promise.all([
      rsaKey ? sealFields(signable, rsaKey) : "",
      ...keys.map((key) => writeSignature(signable, key, null)),
    ]);
    return `${seal}${signatures.join("")}`;
  };
