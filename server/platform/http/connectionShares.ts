import type { Server, Socket } from "node:net";
import { networkOf, widerNetworkOf } from "../ops/networkOf.ts";
import { limits } from "./httpLimits.ts";

/** The limits of connections that are open at a time. */
export interface ConnectionLimits {
  readonly connections: number;
  /** Of an IPv4 address or a /64. */
  readonly connectionsOfNetwork: number;
  /** Of a /24 of IPv4 or a /56 of IPv6. */
  readonly connectionsOfWiderNetwork: number;
}

/** Connections by key, the oldest first. */
type Open = Map<string, Set<Socket>>;

const addTo = (open: Open, key: string, socket: Socket): void => {
  open.set(key, (open.get(key) ?? new Set()).add(socket));
};

const removeFrom = (open: Open, key: string, socket: Socket): void => {
  const sockets = open.get(key);
  if (sockets?.delete(socket) && sockets.size === 0) open.delete(key);
};

/**
 * Limits the connections of a server, those in a TLS handshake and WebSockets included, by network, before anything of them
 * is read. When all are in use, the network that has most loses its oldest. Those of trusted proxies, which speak for all
 * clients, count for the sum alone.
 */
export const shareConnections = (
  server: Server,
  isProxy: (address: string) => boolean,
  most: ConnectionLimits = limits,
): void => {
  const narrow: Open = new Map();
  const wide: Open = new Map();
  /** The functions that free the places of open connections. */
  const places = new Map<Socket, () => void>();

  const leave = (socket: Socket): void => {
    places.get(socket)?.();
    places.delete(socket);
  };

  /** Cuts off the oldest connection of the network with most; false when that is the newcomer's own. */
  const makeRoomFor = (network: string | null): boolean => {
    const [largest, sockets] = [...wide].reduce<readonly [string | null, ReadonlySet<Socket>]>(
      (best, [key, ones]) => (ones.size > best[1].size ? [key, ones] : best),
      [null, new Set()],
    );
    const [oldest] = sockets;
    if (!oldest || largest === network) return false;
    leave(oldest);
    oldest.destroy();
    return true;
  };

  const isFull = (key: string, wider: string): boolean =>
    (narrow.get(key)?.size ?? 0) >= most.connectionsOfNetwork ||
    (wide.get(wider)?.size ?? 0) >= most.connectionsOfWiderNetwork;

  // NOTE: `maxConnections` cannot be the limit itself: beyond it Node cuts connections off before anybody knows whose they are, so
  // that one network could keep all others out.
  server.maxConnections = 2 * most.connections;
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const isOfProxy = isProxy(address);
    const key = networkOf(address);
    const wider = widerNetworkOf(address);
    if (!isOfProxy && isFull(key, wider)) {
      socket.destroy();
      return;
    }
    if (places.size >= most.connections && !makeRoomFor(isOfProxy ? null : wider)) {
      socket.destroy();
      return;
    }
    if (!isOfProxy) {
      addTo(narrow, key, socket);
      addTo(wide, wider, socket);
    }
    places.set(socket, () => {
      removeFrom(narrow, key, socket);
      removeFrom(wide, wider, socket);
    });
    socket.once("close", () => leave(socket));
  });
};
