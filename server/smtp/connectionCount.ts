import { mostConnectionsFromOneAddress } from "./limits.ts";

/** How many connections each address has open. */
export interface ConnectionCount<Session> {
  /** Counts a connection; false when its address has too many already. */
  readonly enter: (session: Session) => boolean;
  readonly leave: (session: Session) => void;
}

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.");

/** Counts by address; this host's own programs (a mail server in front, for one) are not limited. */
export const makeConnectionCount = <
  Session extends { readonly remoteAddress: string },
>(): ConnectionCount<Session> => {
  const open = new Map<string, number>();
  const counted = new WeakSet<Session>();

  return {
    enter: (session) => {
      const { remoteAddress } = session;
      const now = open.get(remoteAddress) ?? 0;
      if (now >= mostConnectionsFromOneAddress && !isLoopback(remoteAddress)) return false;
      open.set(remoteAddress, now + 1);
      counted.add(session);
      return true;
    },
    leave: (session) => {
      if (!counted.delete(session)) return;
      const left = (open.get(session.remoteAddress) ?? 1) - 1;
      if (left > 0) open.set(session.remoteAddress, left);
      else open.delete(session.remoteAddress);
    },
  };
};
