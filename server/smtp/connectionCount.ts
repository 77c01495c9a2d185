import { mostConnectionsFromOneAddress } from "./limits.ts";
import { isLoopback, networkOf } from "./network.ts";

/** How many connections each address, or network of IPv6, has open. */
export interface ConnectionCount<Session> {
  /** Counts a connection; false when its address has too many already. */
  readonly enter: (session: Session) => boolean;
  readonly leave: (session: Session) => void;
}

/** Counts by address, and by network of IPv6; this host's own programs (a mail server in front, for one) are not limited. */
export const makeConnectionCount = <
  Session extends { readonly remoteAddress: string },
>(): ConnectionCount<Session> => {
  const open = new Map<string, number>();
  const counted = new WeakSet<Session>();

  return {
    enter: (session) => {
      const { remoteAddress } = session;
      const network = networkOf(remoteAddress);
      const now = open.get(network) ?? 0;
      if (now >= mostConnectionsFromOneAddress && !isLoopback(remoteAddress)) return false;
      open.set(network, now + 1);
      counted.add(session);
      return true;
    },
    leave: (session) => {
      if (!counted.delete(session)) return;
      const network = networkOf(session.remoteAddress);
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    },
  };
};
