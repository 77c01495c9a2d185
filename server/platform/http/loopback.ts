import type { FastifyRequest } from "fastify";
import { isLoopbackHost } from "../config/loopbackOrigin.ts";

const loopbackAddress = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

const forwardingHeaders = new Set(["forwarded", "via", "x-real-ip"]);

const isForwarded = ({ headers }: FastifyRequest): boolean =>
  Object.keys(headers).some((name) => forwardingHeaders.has(name) || name.startsWith("x-forwarded-"));

/** True if the request came from this machine and not through a proxy. */
export const isFromLoopback = (request: FastifyRequest): boolean =>
  loopbackAddress.test(request.raw.socket.remoteAddress ?? "") && !isForwarded(request);

/**
 * True if the request came from this machine with a loopback host name, which excludes other sites' pages whose domain resolves
 * to 127.0.0.1 (DNS rebinding).
 */
export const isOpenedLocally = (request: FastifyRequest): boolean =>
  isFromLoopback(request) && isLoopbackHost(request.raw.headers.host ?? "");
