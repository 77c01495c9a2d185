import { createPublicKey } from "node:crypto";
import type { Format } from "./settings.ts";

/**
 * The key with which a service signs what it posts: a shared key of Mailgun, SendGrid's public one in Base64, or for SES the
 * topic of SNS, whose posts Amazon signs.
 */
export interface SigningKey {
  readonly service: "mailgun" | "sendgrid" | "ses";
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

const topicArn = /^arn:aws[a-z-]{0,20}:sns:[a-z0-9-]{1,30}:\d{12}:[\w-]{1,256}$/;

/** The service is named, so that no key of one is taken for a key of another. */
export const signingKey: Format<SigningKey> = {
  expected:
    "mailgun: or sendgrid: and the key that the service shows for its signatures, or ses: and the topic of SNS",
  parse: (text) => {
    const [, service, key = ""] = /^(mailgun|sendgrid|ses):([\x21-\x7e]{16,500})$/.exec(text) ?? [];
    if (service === "mailgun") return { service, key };
    if (service === "ses") return topicArn.test(key) ? { service, key } : undefined;
    return service === "sendgrid" && isPublicKey(key) ? { service, key } : undefined;
  },
};
