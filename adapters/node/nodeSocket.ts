import type { Socket } from "../../core/ports/socket.ts";
import { openWebSocket } from "../system/openWebSocket.ts";

/** Node's WebSocket takes headers where a browser's takes protocols only, and is typed like a browser's. */
const dial = (url: URL, headers: Readonly<Record<string, string>>): WebSocket =>
  new WebSocket(url, { headers } as unknown as string[]);

/** Sockets over Node's WebSocket, to absolute addresses, with the cookies of the moment and the server's own origin. */
export const nodeSocket = (cookies: () => string): Socket => ({
  open: (address) =>
    openWebSocket(() => {
      const url = new URL(address);
      const origin = url.origin.replace(/^ws/, "http");
      url.protocol = url.protocol.replace(/^http/, "ws");
      const cookie = cookies();
      return dial(url, { origin, ...(cookie === "" ? {} : { cookie }) });
    }),
});
