import { createHash } from "node:crypto";

/** Names a list of rules by its content, as it is stored: the same list has the same name on every server. */
export const rulesVersion = (stored: string): string =>
  createHash("sha256").update(stored).digest("base64url").slice(0, 22);

/** A version as the ETag of an answer, and back from If-Match (RFC 9110, 8.8.3, 13.1.1). */
export const etagOf = (version: string): string => `"${version}"`;
export const versionIn = (ifMatch: string | undefined): string | null =>
  /^\s*(?:W\/)?"([\w-]{1,64})"\s*$/.exec(ifMatch ?? "")?.[1] ?? null;
