import type { FastifyRequest } from "fastify";

const loopbackAddress = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

const forwardingHeaders = new Set(["forwarded", "via", "x-real-ip"]);

/** Whether people reach the app at this machine alone: then no proxy brings anybody else. */
export const isLoopbackOrigin = (origin: string): boolean =>
  URL.canParse(origin) && loopbackHost.test(new URL(origin).host);

const isForwarded = ({ headers }: FastifyRequest): boolean =>
  Object.keys(headers).some((name) => forwardingHeaders.has(name) || name.startsWith("x-forwarded-"));

/** Whether the request was sent by this machine and by no proxy on behalf of another. */
export const isFromLoopback = (request: FastifyRequest): boolean =>
  loopbackAddress.test(request.raw.socket.remoteAddress ?? "") && !isForwarded(request);

/**
 * Whether a person at this machine has opened the page: from loopback, and under a name that means it. The name
 * keeps out a page from elsewhere whose own domain has been pointed at 127.0.0.1 (DNS rebinding).
 */
export const isOpenedHere = (request: FastifyRequest): boolean =>
  isFromLoopback(request) && loopbackHost.test(request.raw.headers.host ?? "");
