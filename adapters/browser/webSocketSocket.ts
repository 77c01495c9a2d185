import type { Socket } from "../../core/ports/socket.ts";
import { openWebSocket } from "../system/openWebSocket.ts";

/** Creates the socket port over the browser's WebSocket; root-relative addresses resolve against the page. */
export const createWebSocketSocket = (pageAddress: () => string): Socket => ({
  open: (address) =>
    openWebSocket(() => {
      const url = new URL(address, pageAddress());
      url.protocol = url.protocol.replace("http", "ws");
      return new WebSocket(url);
    }),
});
