import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";

export interface PolicySources {
  readonly publicUrl: string;
  readonly connectOrigins: readonly string[];
  readonly takesPayments: boolean;
}

declare module "fastify" {
  interface FastifyReply {
    /** A random nonce for the style element of a page; reading it allows the element in this response. */
    readonly styleNonce: string;
  }
}

/** The Trusted Types policies: two for worker URLs, and one for a mail's HTML in a sandboxed frame without scripts. */
const trustedPolicies = "serviceWorker keyWorker readMail";

/** docs.stripe.com/security/guide */
const stripe = {
  scripts: "https://js.stripe.com https://*.js.stripe.com",
  frames:
    "https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://checkout.stripe.com",
  calls: ["https://api.stripe.com", "https://checkout.stripe.com"],
  images: "https://*.stripe.com",
  /** Stripe's loader sets a script URL from a string; the default policy restricts it to Stripe's hosts. */
  trustedTypes: "default",
};

/**
 * Allows resources of this origin only, no inline scripts but those that the page is built with, no eval or framing, and
 * Trusted Types for script URLs.
 * The nonce allows one inline style of the component library. With payments, Stripe's hosts are allowed too.
 */
const contentPolicy = (
  { publicUrl, connectOrigins, takesPayments }: PolicySources,
  nonce: string | null,
): string => {
  const socketOrigin = new URL(publicUrl).origin.replace(/^http/, "ws");
  const directives: Readonly<Record<string, string>> = {
    "default-src": "'none'",
    "script-src": takesPayments ? `'self' ${stripe.scripts}` : "'self'",
    ...(takesPayments ? { "frame-src": stripe.frames } : {}),
    "style-src": nonce === null ? "'self'" : `'self' 'nonce-${nonce}'`,
    "connect-src": ["'self'", socketOrigin, ...connectOrigins, ...(takesPayments ? stripe.calls : [])].join(
      " ",
    ),
    "img-src": takesPayments ? `'self' data: ${stripe.images}` : "'self' data:",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": takesPayments ? `${trustedPolicies} ${stripe.trustedTypes}` : trustedPolicies,
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
};

const deniedFeatures = ["camera", "geolocation", "microphone", "usb", "browsing-topics"];

/** No browser features are allowed, except payment where payments are set up. */
const permissions = ({ takesPayments }: PolicySources): string =>
  [
    ...deniedFeatures.map((feature) => `${feature}=()`),
    takesPayments ? 'payment=(self "https://js.stripe.com" "https://checkout.stripe.com")' : "payment=()",
  ].join(", ");

/** Tells browsers to isolate this origin, to guess no types and to name no page to other sites. */
const isolation = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
} as const;

/** The security headers of every response. A route may replace the Content-Security-Policy. */
export const fixedHeaders = (sources: PolicySources) => ({
  ...isolation,
  ...(sources.publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=31536000" }),
  "content-security-policy": contentPolicy(sources, null),
  "permissions-policy": permissions(sources),
  "cache-control": "no-store",
});

/** Adds the security headers to every response but those to paths that cannot be read, for which no hook runs. */
export const securityHeaders = (fastify: FastifyInstance, sources: PolicySources): void => {
  const nonces = new WeakMap<FastifyReply, string>();
  fastify.decorateReply("styleNonce", {
    getter() {
      const known = nonces.get(this);
      if (known !== undefined) return known;
      const nonce = randomBytes(16).toString("base64");
      nonces.set(this, nonce);
      this.header("content-security-policy", contentPolicy(sources, nonce));
      return nonce;
    },
  });
  const fixed = fixedHeaders(sources);
  fastify.addHook("onRequest", (_request, reply, done) => {
    reply.headers(fixed);
    done();
  });
};
