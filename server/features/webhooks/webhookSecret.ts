import { Webhook } from "standardwebhooks";
import type { Random } from "../../../core/ports/random.ts";

const secretBytes = 32;

/** Returns a new secret as Standard Webhooks writes them. */
export const newWebhookSecret = (random: Random): string =>
  `whsec_${Buffer.from(random.bytes(secretBytes)).toString("base64")}`;

/** Returns the context that the encryption of a secret is bound to. */
export const secretContext = (webhookId: string): string => `secret of the webhook ${webhookId}`;

/** Returns the headers that prove a message, signed with each of the secrets (Standard Webhooks). */
export const signedHeaders = (
  secrets: readonly string[],
  { id, at, body }: { readonly id: string; readonly at: number; readonly body: string },
): Readonly<Record<string, string>> => ({
  "webhook-id": id,
  "webhook-timestamp": String(Math.floor(at / 1_000)),
  "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body)).join(" "),
});
