import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import type { Subject } from "./subject.ts";

/** Starts a minimal server: it sends everything to every socket, authenticates nobody and stores nothing. */
export const startPeer = async (sockets: number): Promise<Subject> => {
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    name: "ws, bare broadcast, nothing stored",
    places: Array.from({ length: sockets }, () => ({ address, headers: {}, hello: [] })),
    happen: async (message) => {
      const text = JSON.stringify({ type: "notification", data: { message }, timestamp: Date.now() });
      for (const client of server.clients) client.send(text);
    },
    stop: async () => {
      for (const client of server.clients) client.terminate();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
};
