import { createHash, sign as signBytes } from "node:crypto";
import { isMainThread } from "node:worker_threads";
import type { HeaderBlock } from "../mime/headerBlock.ts";
import { foldText, foldWords, relaxField, type SignedFields } from "./canonicalHeader.ts";
import type { SigningKey } from "./dkimKeys.ts";

type SignedText = readonly [algorithm: "sha256" | null, bytes: Buffer, privateKey: SigningKey["privateKey"]];

const signElsewhere = (...text: SignedText): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    signBytes(...text, (error, signature) => (error ? reject(error) : resolve(signature)));
  });

/** Signs text without blocking the main thread; returns the signature in base64. */
export const signText = async (text: string, { algorithm, privateKey }: SigningKey): Promise<string> => {
  const bytes = Buffer.from(text, "latin1");
  // Ed25519 signs the SHA-256 hash of the text (RFC 8463, 3).
  const signed: SignedText =
    algorithm === "rsa-sha256"
      ? ["sha256", bytes, privateKey]
      : [null, createHash("sha256").update(bytes).digest(), privateKey];
  const signature = isMainThread ? await signElsewhere(...signed) : signBytes(...signed);
  return signature.toString("base64");
};

/** The input of a mail's signature. */
export interface Signable {
  readonly content: Buffer;
  readonly header: HeaderBlock;
  /** The part of the header that the signatures cover. */
  readonly signed: SignedFields;
  readonly domain: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly bodyHash: string;
}

/** Writes a signature over header and body: DKIM-Signature, or with an instance ARC-Message-Signature. */
export const writeSignature = async (
  { signed: { names, text }, domain, time, bodyHash }: Signable,
  key: SigningKey,
  instance: number | null,
): Promise<string> => {
  const field = [
    instance === null ? "DKIM-Signature: v=1;" : `ARC-Message-Signature: i=${instance};`,
    ` a=${key.algorithm}; c=relaxed/simple; d=${domain}; s=${key.selector}; t=${time};\r\n`,
    ` h=${foldWords(names, ":")};\r\n bh=${bodyHash};\r\n b=`,
  ].join("");
  return `${field}${foldText(await signText(`${text}${relaxField(field)}`, key))}\r\n`;
};
