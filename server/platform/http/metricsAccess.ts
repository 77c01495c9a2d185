import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** The result of the check of a client that wants to read the metrics. */
export type Access = "granted" | "refused" | "unknown";

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Creates the check of METRICS_TOKEN, in constant time: "unknown" for a client that names no token, or without one set. */
export const createCheckToken = (
  token: string | null,
): ((headers: Pick<IncomingHttpHeaders, "authorization">) => Access) => {
  if (token === null) return () => "unknown";
  const expected = digest(token);
  return ({ authorization }) => {
    if (authorization === undefined) return "unknown";
    const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
    return timingSafeEqual(digest(given), expected) ? "granted" : "refused";
  };
};
