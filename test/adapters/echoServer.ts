import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";

/** The echo server that the contract tests of sockets use, on a separate port. */
export interface EchoServer {
  readonly origin: string;
  /** The headers of the latest handshake. */
  readonly handshake: () => IncomingHttpHeaders;
  readonly stop: () => Promise<void>;
}

export const startEchoServer = async (): Promise<EchoServer> => {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, path: "/ws" });
  let newest: IncomingHttpHeaders = {};
  sockets.on("connection", (socket, request) => {
    newest = request.headers;
    socket.on("message", (data) => {
      const text = String(data);
      const code = /^close (\d+)$/.exec(text)?.[1];
      if (code) socket.close(Number(code), "as asked");
      else socket.send(text);
    });
  });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  return {
    origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    handshake: () => newest,
    stop: async () => {
      for (const client of sockets.clients) client.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
};
