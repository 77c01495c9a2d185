import { randomBytes } from "node:crypto";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

export interface PolicySources {
  /** The origin people reach the app at. */
  readonly publicUrl: string;
  /** Other origins the page may send to, because the operator named them. */
  readonly connectTo: readonly string[];
  /** Whether the page shows Stripe's payment form. */
  readonly takesPayments: boolean;
}

declare module "fastify" {
  interface FastifyReply {
    /** Unguessable, new for each answer: lets a stylesheet of ours stand in the page. */
    styleNonce: string;
  }
}

/**
 * The page's policies of Trusted Types. Two answer the address of one worker each, whatever they are asked for; the
 * third lets a mail's HTML be read into a document that runs nothing, and into a frame that may do nothing.
 */
const trustedPolicies = "serviceWorker keyWorker readMail";

/** Stripe's own hosts, for its script, its form and what it asks of the bank (docs.stripe.com/security/guide). */
const stripe = {
  scripts: "https://js.stripe.com https://*.js.stripe.com",
  frames:
    "https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://checkout.stripe.com",
  calls: ["https://api.stripe.com", "https://checkout.stripe.com"],
  images: "https://*.stripe.com",
  /** Stripe's loader writes an address as text; this policy of Trusted Types lets its own through alone. */
  trustedTypes: "default",
};

/**
 * The Content-Security-Policy of the app: everything from here, no inline script, no eval, no frame around it, and no
 * text that becomes script (Trusted Types) but the addresses of its workers. One inline style of the component library is let in by its nonce.
 * Where payment is set up, Stripe's hosts are let in besides.
 */
const contentPolicy = (
  { publicUrl, connectTo, takesPayments }: PolicySources,
  nonce: string,
  more: Readonly<Record<string, string>> = {},
): string => {
  const socketOrigin = publicUrl.replace(/^http/, "ws");
  const directives: Readonly<Record<string, string>> = {
    "default-src": "'none'",
    "script-src": takesPayments ? `'self' ${stripe.scripts}` : "'self'",
    ...(takesPayments ? { "frame-src": stripe.frames } : {}),
    "style-src": `'self' 'nonce-${nonce}'`,
    "connect-src": ["'self'", socketOrigin, ...connectTo, ...(takesPayments ? stripe.calls : [])].join(" "),
    "img-src": takesPayments ? `'self' data: ${stripe.images}` : "'self' data:",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": takesPayments ? `${trustedPolicies} ${stripe.trustedTypes}` : trustedPolicies,
    ...more,
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
};

const never = ["camera", "geolocation", "microphone", "usb", "browsing-topics"];

/** What the page may ask the browser for: nothing, but to pay where payment is set up. */
const permissions = ({ takesPayments }: PolicySources): string =>
  [
    ...never.map((feature) => `${feature}=()`),
    takesPayments ? 'payment=(self "https://js.stripe.com" "https://checkout.stripe.com")' : "payment=()",
  ].join(", ");

/** Puts the security headers on every answer. A route may replace its Content-Security-Policy by its own. */
export const securityHeaders = async (fastify: FastifyInstance, sources: PolicySources): Promise<void> => {
  await fastify.register(helmet, {
    contentSecurityPolicy: false,
    strictTransportSecurity: sources.publicUrl.startsWith("https:") && {
      maxAge: 31_536_000,
      includeSubDomains: false,
    },
    referrerPolicy: { policy: "no-referrer" },
    frameguard: { action: "deny" },
  });
  fastify.decorateReply("styleNonce", "");
  fastify.addHook("onRequest", async (_request, reply) => {
    reply.styleNonce = randomBytes(16).toString("base64");
    reply.header("content-security-policy", contentPolicy(sources, reply.styleNonce));
    reply.header("permissions-policy", permissions(sources));
    reply.header("cache-control", "no-store");
  });
};
