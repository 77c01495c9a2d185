import { AuthData, type DataUpdate, Envelope, type ServerMessage } from "../../core/realtime/messages.ts";
import type { ChangeEvent } from "../store/events.ts";

/** What a client has said, as far as we act upon it. */
export type ClientMessage =
  | { readonly kind: "auth"; readonly token: string }
  | { readonly kind: "heartbeat" }
  | { readonly kind: "ping" }
  /** Well-formed, of a type we do nothing about. */
  | { readonly kind: "other" }
  | { readonly kind: "unreadable" };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Reads what came over a socket (RT2), whatever it is. */
export const readMessage = (text: string): ClientMessage => {
  const envelope = Envelope.decode(parsed(text));
  if (envelope._tag === "Left") return { kind: "unreadable" };
  const { type, data } = envelope.right;
  if (type === "heartbeat" || type === "ping") return { kind: type };
  if (type !== "auth") return { kind: "other" };
  const auth = AuthData.decode(data);
  return auth._tag === "Right" ? { kind: "auth", token: auth.right.token } : { kind: "unreadable" };
};

/** Told when something could not be read; clients that do not know the type pass over it. */
interface SocketError {
  readonly type: "error";
  readonly data: { readonly message: string };
}

/** A message as text, with the time it was written. */
export const writeMessage = (message: ServerMessage | SocketError, now: number): string =>
  JSON.stringify({ ...message, timestamp: now });

/** A change as its owner's pages hear of it (RT13). */
export const dataUpdate = ({ resource, resourceId, action }: ChangeEvent): ServerMessage => {
  const data: DataUpdate = { resource, action, ...(resourceId === null ? {} : { resourceId }) };
  return { type: "data_update", data };
};
