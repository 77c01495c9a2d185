import type { Socket } from "node:net";
import type { SmtpSession } from "../session.ts";

/** The dependencies and callbacks of a connection. */
export interface ConnectionDeps {
  readonly session: SmtpSession;
  readonly greeting: string;
  readonly now: () => number;
  /** Calls back after a time, in milliseconds; returns what prevents it. */
  readonly after: (ms: number, call: () => void) => () => void;
  readonly secure: (socket: Socket) => Socket;
  /** True while the server only finishes what has started. */
  readonly isStopping: () => boolean;
  readonly onAccepted: () => void;
  readonly onError: (error: unknown) => void;
  /** Called with the code of a network error. */
  readonly onBroken: (code: string | undefined) => void;
  /** Called once, when nothing more is read and the connection needs no slot. */
  readonly onOver: () => void;
  /** Called once, when the connection is closed. */
  readonly onGone: () => void;
}
