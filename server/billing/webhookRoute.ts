import type { FastifyInstance } from "fastify";
import { perMinute } from "../http/limits.ts";
import { allowed } from "../http/rateLimit.ts";
import { Refusal } from "../http/refusal.ts";
import type { Billing } from "./billing.ts";

const notSigned = (): Refusal =>
  new Refusal(400, "The signature of this message is missing, wrong or too old.");

/**
 * POST /webhooks/stripe (D60): what Stripe tells. The body is read as the bytes that were signed. 200 only after
 * everything that follows is in the store: whatever else is answered, Stripe sends again.
 */
export const webhookRoute =
  (billing: Billing) =>
  (fastify: FastifyInstance): void => {
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    fastify.post(
      "/webhooks/stripe",
      { config: { rateLimit: { max: allowed(perMinute.anything) } } },
      async ({ headers, body }) => {
        const signature = headers["stripe-signature"];
        const isSigned = typeof signature === "string" && body instanceof Uint8Array;
        if (!isSigned || !(await billing.hear(body, signature))) throw notSigned();
        return { received: true };
      },
    );
  };
