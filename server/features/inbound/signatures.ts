import { createHmac, createPublicKey, createVerify, type KeyObject, timingSafeEqual } from "node:crypto";
import { hourMs } from "../../../core/kernel/durations.ts";
import type { SigningKey } from "../../platform/config/signingKey.ts";
import type { GetFromPublicHost } from "../../platform/outgoing/publicHttpClient.ts";
import { isSignedByAmazon } from "./amazonSes.ts";

/** Checks what a service has signed, once the whole post has come. */
export interface SignatureCheck {
  /** Takes the bytes of the post in their order. */
  readonly add: (bytes: Buffer) => void;
  /** True if the service has signed the post. */
  readonly isSigned: (texts: ReadonlyMap<string, string>) => boolean | Promise<boolean>;
}

/** For as long as a service tries again; a clock may be wrong by the same time. */
const mailgunWithinMs = 12 * hourMs;
const sendGridWithinMs = 80 * hourMs;

const isRecent = (seconds: string | undefined, now: number, withinMs: number): boolean =>
  seconds !== undefined && /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1_000) <= withinMs;

/** Mailgun signs a time and a token by HMAC, not the mail. */
const checkMailgun = (key: string, now: number): SignatureCheck => ({
  add: () => {},
  isSigned: (texts) => {
    const timestamp = texts.get("timestamp");
    const given = Buffer.from(texts.get("signature") ?? "", "hex");
    const expected = createHmac("sha256", key)
      .update(`${timestamp}${texts.get("token") ?? ""}`)
      .digest();
    return (
      given.length === expected.length &&
      timingSafeEqual(given, expected) &&
      isRecent(timestamp, now, mailgunWithinMs)
    );
  },
});

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** SendGrid signs the time and the whole post by ECDSA. */
const checkSendGrid = (key: KeyObject, headers: Headers, now: number): SignatureCheck => {
  const signature = headers["x-twilio-email-event-webhook-signature"];
  const timestamp = headers["x-twilio-email-event-webhook-timestamp"];
  const isNamed = typeof signature === "string" && typeof timestamp === "string";
  const verify = createVerify("sha256");
  if (isNamed) verify.update(timestamp);
  return {
    add: (bytes) => {
      if (isNamed) verify.update(bytes);
    },
    isSigned: () =>
      isNamed && isRecent(timestamp, now, sendGridWithinMs) && verify.verify(key, signature, "base64"),
  };
};

/** Begins the check of a post with the key of the service that signs. */
export const beginSignatureCheck = (
  { service, key }: SigningKey,
  { headers, now, get }: { readonly headers: Headers; readonly now: number; readonly get: GetFromPublicHost },
): SignatureCheck => {
  switch (service) {
    case "mailgun":
      return checkMailgun(key, now);
    case "sendgrid":
      return checkSendGrid(
        createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" }),
        headers,
        now,
      );
    case "ses":
      return { add: () => {}, isSigned: (texts) => isSignedByAmazon(texts, { topic: key, now, get }) };
  }
};
