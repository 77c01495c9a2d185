import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { sentenceOf } from "./errors.ts";

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers what is no request of HTTP, or did not arrive whole, in the shape of every other error, and hangs up. Nobody
 * is there to be answered when the connection broke.
 */
export const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const status = statusOf[error.code ?? ""] ?? 400;
  const body = JSON.stringify({ message: sentenceOf(status) });
  if (socket.writable)
    socket.write(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        "content-type: application/json; charset=utf-8",
        `content-length: ${Buffer.byteLength(body)}`,
        "cache-control: no-store",
        "x-content-type-options: nosniff",
        "connection: close",
        "",
        body,
      ].join("\r\n"),
    );
  socket.destroySoon();
};
