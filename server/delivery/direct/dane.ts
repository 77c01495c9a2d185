import { createHash, type X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import type { TlsaRecord } from "./mxRoute.ts";

const issuer = 2;
const serverItself = 3;
const maxChain = 10;

/** Parses the data of a TLSA record (RFC 6698, 2.1); null when it is too short. */
export const parseTlsa = (data: Uint8Array): TlsaRecord | null => {
  const [usage, selector, matching] = data;
  if (usage === undefined || selector === undefined || matching === undefined || data.length < 4) return null;
  return { usage, selector, matching, data: Buffer.from(data.subarray(3)).toString("hex") };
};

/** True if SMTP uses a record: those that rely on public authorities are not used (RFC 7672, 3.1.3). */
export const isUsableTlsa = ({ usage, selector, matching }: TlsaRecord): boolean =>
  (usage === issuer || usage === serverItself) && selector <= 1 && matching <= 2;

const matches = (certificate: X509Certificate, { selector, matching, data }: TlsaRecord): boolean => {
  const bytes =
    selector === 0 ? certificate.raw : certificate.publicKey.export({ type: "spki", format: "der" });
  if (matching === 0) return bytes.toString("hex") === data;
  return (
    createHash(matching === 1 ? "sha256" : "sha512")
      .update(bytes)
      .digest("hex") === data
  );
};

const chainOf = (leaf: X509Certificate): readonly X509Certificate[] => {
  const chain = [leaf];
  for (
    let next = leaf.issuerCertificate;
    next && chain.length < maxChain && next.fingerprint256 !== chain.at(-1)?.fingerprint256;
    next = next.issuerCertificate
  )
    chain.push(next);
  return chain;
};

const isValidAt = ({ validFromDate, validToDate }: X509Certificate, now: number): boolean =>
  validFromDate.getTime() <= now && now <= validToDate.getTime();

/** True if each certificate is issued by the next one. */
const isIssued = (chain: readonly X509Certificate[]): boolean =>
  chain.every((certificate, index) => {
    const by = chain[index + 1];
    return !by || (by.ca && certificate.checkIssued(by) && certificate.verify(by.publicKey));
  });

/**
 * Returns why a certificate and its issuers do not match any record; null when they do. The server's own
 * certificate needs neither a name nor a date, one of an issuer does (RFC 7672, 3.1).
 */
export const daneProblem = (
  leaf: X509Certificate,
  { records, names }: { readonly records: readonly TlsaRecord[]; readonly names: readonly string[] },
  now: number,
): string | null => {
  if (records.length === 0) return null;
  if (records.some((record) => record.usage === serverItself && matches(leaf, record))) return null;
  const chain = chainOf(leaf);
  const anchors = records.filter(({ usage }) => usage === issuer);
  const anchor = chain.findIndex(
    (certificate, index) => index > 0 && anchors.some((record) => matches(certificate, record)),
  );
  if (anchor === -1) return "no TLSA record matches the certificate";
  const used = chain.slice(0, anchor + 1);
  if (!isIssued(used)) return "the chain to the certificate of the TLSA record is broken";
  if (!used.every((certificate) => isValidAt(certificate, now))) return "a certificate has expired";
  return names.some((name) => leaf.checkHost(name) !== undefined)
    ? null
    : "the certificate is not for the name of the server";
};

/** Returns the certificate of a server with links to its issuers. */
export const peerCertificateOf = (socket: TLSSocket): X509Certificate | undefined =>
  socket.getPeerX509Certificate();
