import type { FastifyReply, FastifyRequest } from "fastify";
import { UseCaseError } from "../errors/useCaseError.ts";
import type { Rates } from "../rates/rates.ts";
import { perMinute, rateLimitFor } from "./httpLimits.ts";

const windowS = 60;
/** The most tokens whose use is counted; those used least recently are forgotten. */
const maxTokens = 20_000;

/** Counts a request of an API token, tells its client what is left, and throws "too-often" when nothing is. */
export type LimitTokenRate = (request: FastifyRequest, reply: FastifyReply, tokenId: string) => void;

/**
 * Limits the requests of each API token to 300 a minute, which come back evenly, and says so in `RateLimit-Policy` and
 * `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
 */
export const createTokenRate = (rates: Rates): LimitTokenRate => {
  const buckets = rates.buckets("API tokens", maxTokens);
  return (request, reply, tokenId) => {
    const burst = rateLimitFor(request, perMinute.token);
    const allowance = { burst, perSecond: burst / windowS };
    const left = buckets.left(tokenId, allowance);
    const isAllowed = left >= 1;
    if (isAllowed) buckets.take(tokenId, allowance, 1);
    const remaining = Math.max(0, isAllowed ? left - 1 : left);
    reply.header("ratelimit-policy", `"token";q=${burst};w=${windowS}`);
    reply.header(
      "ratelimit",
      `"token";r=${Math.floor(remaining)};t=${Math.ceil((burst - remaining) / allowance.perSecond)}`,
    );
    if (isAllowed) return;
    throw new UseCaseError("too-often", "This API token has made too many requests. Try again in a moment.", {
      retryAfterS: Math.max(1, Math.ceil((1 - left) / allowance.perSecond)),
    });
  };
};
