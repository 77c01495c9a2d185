import { createHash, sign as signBytes } from "node:crypto";
import type { HeaderBlock } from "../delivery/headerBlock.ts";
import { foldText, foldWords, relaxField, selectSignedFields } from "./canonicalHeader.ts";
import type { SigningKey } from "./dkimKeys.ts";

/** Signs text in a separate thread; returns the signature in base64. */
export const signText = (text: string, { algorithm, privateKey }: SigningKey): Promise<string> =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.from(text, "latin1");
    const done = (error: Error | null, signature: Buffer): void =>
      error ? reject(error) : resolve(signature.toString("base64"));
    // Ed25519 signs the SHA-256 hash of the text (RFC 8463, 3).
    if (algorithm === "rsa-sha256") signBytes("sha256", bytes, privateKey, done);
    else signBytes(null, createHash("sha256").update(bytes).digest(), privateKey, done);
  });

/** The input of a mail's signature. */
export interface Signable {
  readonly content: Buffer;
  readonly header: HeaderBlock;
  readonly domain: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly bodyHash: string;
}

/** Writes a signature over header and body: DKIM-Signature, or with an instance ARC-Message-Signature. */
export const writeSignature = async (
  { content, header, domain, time, bodyHash }: Signable,
  key: SigningKey,
  instance: number | null,
): Promise<string> => {
  const { names, text } = selectSignedFields(content, header);
  const field = [
    instance === null ? "DKIM-Signature: v=1;" : `ARC-Message-Signature: i=${instance};`,
    ` a=${key.algorithm}; c=relaxed/simple; d=${domain}; s=${key.selector}; t=${time};\r\n`,
    ` h=${foldWords(names, ":")};\r\n bh=${bodyHash};\r\n b=`,
  ].join("");
  return `${field}${foldText(await signText(`${text}${relaxField(field)}`, key))}\r\n`;
};
