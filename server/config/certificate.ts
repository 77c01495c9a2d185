import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { TlsFiles } from "./config.ts";
import { BadSetting } from "./setting.ts";
import { usable } from "./unusable.ts";

/** Reads what STARTTLS is offered with; null without files. Throws `BadSetting` when they do not belong together. */
export const readCertificate = async (
  files: TlsFiles | null,
): Promise<{ readonly cert: string; readonly key: string } | null> => {
  if (!files) return null;
  const [certName, keyName] = [JSON.stringify(files.cert), JSON.stringify(files.key)];
  const cert = await usable(`TLS_CERT is ${certName}; it wants a PEM file with a certificate`, () => {
    const text = readFileSync(files.cert, "utf8");
    return { text, parsed: new X509Certificate(text) };
  });
  const key = await usable(`TLS_KEY is ${keyName}; it wants a PEM file with a private key`, () => {
    const text = readFileSync(files.key, "utf8");
    return { text, parsed: createPrivateKey(text) };
  });
  if (!cert.parsed.checkPrivateKey(key.parsed))
    throw new BadSetting(`TLS_KEY is ${keyName}; it wants the key that TLS_CERT was made for.`);
  return { cert: cert.text, key: key.text };
};
