import { createPublicKey } from "node:crypto";
import type { Format } from "./settings.ts";

/** The key with which a service signs what it posts: a shared key of Mailgun, or SendGrid's public one in Base64. */
export interface SigningKey {
  readonly service: "mailgun" | "sendgrid";
  readonly key: string;
}

const isPublicKey = (key: string): boolean => {
  try {
    const { asymmetricKeyType } = createPublicKey({
      key: Buffer.from(key, "base64"),
      format: "der",
      type: "spki",
    });
    return asymmetricKeyType === "ec";
  } catch {
    return false;
  }
};

/** The service is named, so that no key of one is taken for a key of another. */
export const signingKey: Format<SigningKey> = {
  expected: "mailgun: or sendgrid: and the key that the service shows for its signatures",
  parse: (text) => {
    const [, service, key = ""] = /^(mailgun|sendgrid):([\x21-\x7e]{16,500})$/.exec(text) ?? [];
    if (service === "mailgun") return { service, key };
    return service === "sendgrid" && isPublicKey(key) ? { service, key } : undefined;
  },
};
