import { createHmac } from "node:crypto";

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Returns a copy of the token that is already expired (RFC 7519), signed with the server's own key. */
export const expiredCopyOf = async (token: string, key: Buffer): Promise<string> => {
  const [header = "", payload = ""] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
  const old = `${header}.${encode({ ...claims, iat: claims.iat - 7_200, exp: claims.iat - 3_600 })}`;
  return `${old}.${createHmac("sha256", key).update(old).digest("base64url")}`;
};
