import type { Socket } from "../../core/ports/socket.ts";
import { openWebSocket } from "../system/openWebSocket.ts";

/** Passes headers to Node's WebSocket, whose types are those of a browser, which accepts protocols only. */
const dial = (url: URL, headers: Readonly<Record<string, string>>): WebSocket =>
  new WebSocket(url, { headers } as unknown as string[]);

/** Opens Node WebSockets to absolute addresses, with the current cookies and the server's own origin. */
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
