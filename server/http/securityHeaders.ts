import { randomBytes } from "node:crypto";
import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

export interface PolicySources {
  /** The origin people reach the app at. */
  readonly publicUrl: string;
  /** Other origins the page may send to, because the operator named them. */
  readonly connectTo: readonly string[];
}

declare module "fastify" {
  interface FastifyReply {
    /** Unguessable, new for each answer: lets a stylesheet of ours stand in the page. */
    styleNonce: string;
  }
}

/** The page's one policy of Trusted Types: whatever it is asked for, it answers the address of the service worker. */
const workerPolicy = "serviceWorker";

/**
 * The Content-Security-Policy of the app: everything from here, no inline script, no eval, no frame around it, and no
 * text that becomes script (Trusted Types) but the address of the service worker. One inline style of the component library is let in by its nonce.
 */
const contentPolicy = (
  { publicUrl, connectTo }: PolicySources,
  nonce: string,
  more: Readonly<Record<string, string>> = {},
): string => {
  const socketOrigin = publicUrl.replace(/^http/, "ws");
  const directives: Readonly<Record<string, string>> = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": `'self' 'nonce-${nonce}'`,
    "connect-src": ["'self'", socketOrigin, ...connectTo].join(" "),
    "img-src": "'self' data:",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": workerPolicy,
    ...more,
  };
  return Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
};

const permissions = ["camera", "geolocation", "microphone", "payment", "usb", "browsing-topics"]
  .map((feature) => `${feature}=()`)
  .join(", ");

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
    reply.header("permissions-policy", permissions);
    reply.header("cache-control", "no-store");
  });
};
