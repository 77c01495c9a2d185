import { type Random, randomHex } from "../ports/random.ts";

const hasThreeParts = (token: string): boolean => /^[^.]+\.[^.]+\.[^.]+$/.test(token);

/** Names one run of the app on the socket: 16 random bytes in hexadecimal (RT1). */
export const makeSocketSessionId = (random: Random): string => randomHex(random, 16);

/**
 * Where the socket is opened; null for a token without three dot-separated parts (RT1).
 * `now` in milliseconds. An empty `baseAddress` means the page's own origin.
 */
export const socketAddress = (
  baseAddress: string,
  token: string,
  now: number,
  sessionId: string,
): string | null => {
  if (!hasThreeParts(token)) return null;
  const query = Object.entries({ token, t: String(now), client: "web", sessionId })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return `${baseAddress.replace(/^http/, "ws").replace(/\/+$/, "")}/ws?${query}`;
};
