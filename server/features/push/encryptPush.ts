import type { PushKeyPair } from "./pushKeys.ts";
import type { PushSubscription } from "./pushSubscription.ts";

/** The request that brings a message to a push service (RFC 8030). */
export interface PushRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface PushDelivery {
  readonly keys: PushKeyPair;
  /** Where the operator of a push service reaches this installation: an address with https: or mailto:. */
  readonly contact: string;
  /** The time for which the push service keeps the message for a device that is away. */
  readonly keptForMs: number;
}

const encoding = "aes128gcm";

const library = async () => (await import("web-push")).default;

/**
 * Encrypts a text to a device (RFC 8291), with the proof of who sends it (RFC 8292). Throws when the keys are unusable.
 * The proof is valid for 12 hours of the clock that the push service has too.
 */
export const encryptPush = async (
  { endpoint, p256dh, auth }: PushSubscription,
  text: string,
  { keys, contact, keptForMs }: PushDelivery,
): Promise<PushRequest> => {
  const webPush = await library();
  const { cipherText } = webPush.encrypt(p256dh, auth, text, encoding);
  const { publicKey, privateKey } = keys;
  const { origin } = new URL(endpoint);
  const proof = webPush.getVapidHeaders(origin, contact, publicKey, privateKey, encoding);
  return {
    headers: {
      ...proof,
      "content-type": "application/octet-stream",
      "content-encoding": encoding,
      ttl: String(Math.max(0, Math.floor(keptForMs / 1_000))),
      // All are alike, and shown at once: whoever carries them learns nothing of what one is about.
      urgency: "high",
    },
    body: cipherText,
  };
};
