import type { Observable } from "rxjs";

export type SocketEvent =
  | { readonly kind: "opened" }
  | { readonly kind: "message"; readonly text: string }
  /** Always the last event; `code` as in RFC 6455, section 7.4. */
  | { readonly kind: "closed"; readonly code: number; readonly reason: string };

export interface Connection {
  readonly events$: Observable<SocketEvent>;
  /** Sends the text; does nothing and returns false unless the connection is open. */
  readonly send: (text: string) => boolean;
  readonly close: (code: number, reason: string) => void;
}

/** Opens a WebSocket at an absolute or root-relative address. */
export interface Socket {
  readonly open: (address: string) => Connection;
}
