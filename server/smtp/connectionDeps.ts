import type { Socket } from "node:net";
import type { SmtpSession } from "./session.ts";

/** What a connection is given, and what it tells. */
export interface ConnectionDeps {
  readonly session: SmtpSession;
  readonly greeting: string;
  readonly now: () => number;
  /** Starts TLS on the socket. */
  readonly secure: (socket: Socket) => Socket;
  /** Whether the server finishes only what has begun. */
  readonly isStopping: () => boolean;
  readonly onAccepted: () => void;
  readonly onError: (error: unknown) => void;
  /** Called with the code of an error of the network. */
  readonly onBroken: (code: string | undefined) => void;
  /** Called once, when nothing more is read: the connection needs no slot. */
  readonly onOver: () => void;
  /** Called once, when the connection no longer exists. */
  readonly onGone: () => void;
}
