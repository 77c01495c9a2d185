import { createPublicKey, type KeyObject, sign } from "node:crypto";

/** Encodes one DER element (X.690, 8.1). */
const der = (tag: number, ...contents: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from(
    content.length.toString(16).padStart(content.length < 0x100 ? 2 : 4, "0"),
    "hex",
  );
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
};

const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));

const ecdsaWithSha256 = "2a8648ce3d040302";
const extensionRequest = "2a864886f70d01090e";
const subjectAltName = "551d11";

/** Returns a certificate signing request (PKCS #10, RFC 2986) in DER for a P-256 key; names are subjectAltNames only. */
export const createSigningRequest = (names: readonly string[], privateKey: KeyObject): Buffer => {
  const dnsNames = names.map((name) => der(0x82, Buffer.from(name, "ascii")));
  const extension = sequence(oid(subjectAltName), der(0x04, sequence(...dnsNames)));
  const attributes = der(0xa0, sequence(oid(extensionRequest), der(0x31, sequence(extension))));
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const info = sequence(der(0x02, Buffer.from([0])), sequence(), publicKey, attributes);
  const signature = sign("sha256", info, privateKey);
  return sequence(info, sequence(oid(ecdsaWithSha256)), der(0x03, Buffer.from([0]), signature));
};
