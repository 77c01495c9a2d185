import { createECDH, createHash } from "node:crypto";
import type { Seal } from "../../platform/ops/secrets.ts";

/** What a browser has made for one server: where its push service takes messages, and the keys that they are encrypted to. */
export interface PushSubscription {
  readonly endpoint: string;
  /** A point of P-256, uncompressed, in base64url. */
  readonly p256dh: string;
  /** 16 bytes in base64url. */
  readonly auth: string;
}

/** Returns the mark by which a browser knows its own subscription. */
export const markOf = ({ endpoint }: Pick<PushSubscription, "endpoint">): string =>
  createHash("sha256").update(endpoint).digest("base64url");

/** True if messages can be encrypted to a key: it is a point of the curve. */
export const isPublicKey = (p256dh: string): boolean => {
  const own = createECDH("prime256v1");
  own.generateKeys();
  try {
    return own.computeSecret(Buffer.from(p256dh, "base64url")).length > 0;
  } catch {
    return false;
  }
};

const contextOf = (deviceId: string): string => `subscription of the device ${deviceId}`;

export const sealSubscription = (
  seal: Pick<Seal, "seal">,
  deviceId: string,
  { endpoint, p256dh, auth }: PushSubscription,
): string => seal.seal(JSON.stringify({ endpoint, p256dh, auth }), contextOf(deviceId));

/** Decrypts a stored subscription; null when it is damaged, or another installation has encrypted it. */
export const openSubscription = (
  seal: Pick<Seal, "open">,
  { id, sealed }: { readonly id: string; readonly sealed: string },
): PushSubscription | null => {
  try {
    return JSON.parse(seal.open(sealed, contextOf(id))) as PushSubscription;
  } catch {
    return null;
  }
};
