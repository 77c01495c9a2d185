import { createHash } from "node:crypto";

/** Names a list of rules by its content, as it is stored: the same list has the same name on every server. */
export const rulesVersion = (stored: string): string =>
  createHash("sha256").update(stored).digest("base64url").slice(0, 22);

/** A version as the ETag of an answer (RFC 9110, 8.8.3). */
export const etagOf = (version: string): string => `"${version}"`;

/** No list has this version. */
const unknownVersion = "";

/**
 * The version that If-Match names (RFC 9110, 13.1.1). null: it names none, or any ("*"). What is there and cannot be
 * read counts as a version nobody knows, so that a client that means to lose nothing does not replace the list.
 */
export const versionIn = (ifMatch: string | undefined): string | null =>
  ifMatch === undefined || ifMatch.trim() === "*"
    ? null
    : (/^\s*(?:W\/)?"([\w-]{1,64})"\s*$/.exec(ifMatch)?.[1] ?? unknownVersion);
