import type { Socket } from "../../core/ports/socket.ts";
import { openWebSocket } from "../system/openWebSocket.ts";

/** Sockets over the browser's WebSocket; a root-relative address is taken from where the page came from. */
export const makeWebSocketSocket = (pageAddress: () => string): Socket => ({
  open: (address) =>
    openWebSocket(() => {
      const url = new URL(address, pageAddress());
      url.protocol = url.protocol.replace("http", "ws");
      return new WebSocket(url);
    }),
});
