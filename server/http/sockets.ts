import websocket from "@fastify/websocket";
import type { FastifyInstance } from "fastify";
import { messageBytes } from "../../core/realtime/limits.ts";

/** The server goes and comes back: clients connect again (IANA's registry of close codes; RFC 6455, 7.4.2). */
const serviceRestart = 1012;
const closeWithinMs = 1_000;

/**
 * Lets routes take WebSockets: at most 16,384 bytes a message (RT9), no compression. When the server stops, every
 * socket is closed with 1012, and whoever is just opening one is sent away, so that nothing keeps the server waiting.
 */
export const takeSockets = async (server: FastifyInstance): Promise<void> => {
  await server.register(websocket, {
    options: { maxPayload: messageBytes, perMessageDeflate: false, clientTracking: true },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: (done) => {
      const { websocketServer } = server;
      server.server.removeAllListeners("upgrade");
      websocketServer.close();
      for (const client of websocketServer.clients) {
        client.close(serviceRestart, "The server is stopping");
        setTimeout(() => client.terminate(), closeWithinMs).unref();
      }
      done();
    },
  });
};
