import { ClientMessage } from "../../core/realtime/clientMessages.ts";
import { batchSize } from "../../core/realtime/limits.ts";
import { Envelope, type ServerMessage } from "../../core/realtime/messages.ts";

/** What a client has said, one message after the other. */
export type Heard =
  | { readonly kind: "said"; readonly message: Exclude<ClientMessage, { readonly type: "batch" }> }
  /** Well-formed, of a type that we do nothing about. */
  | { readonly kind: "unknown" }
  | { readonly kind: "unreadable"; readonly id: string | undefined; readonly why: string };

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const knownTypes: ReadonlySet<string> = new Set<ClientMessage["type"]>([
  "auth",
  "subscribe",
  "unsubscribe",
  "mark_read",
  "delete_notification",
  "get_notifications",
  "sync_request",
  "request_update",
  "heartbeat",
  "heartbeat_ack",
  "ping",
  "batch",
]);

const unreadable = (id?: string, why = "This message could not be read."): Heard => ({
  kind: "unreadable",
  id,
  why,
});

const readOne = (envelope: Envelope): Heard => {
  if (!knownTypes.has(envelope.type)) return { kind: "unknown" };
  const decoded = ClientMessage.decode(envelope);
  return decoded._tag === "Right" && decoded.right.type !== "batch"
    ? { kind: "said", message: decoded.right }
    : unreadable(envelope.id);
};

const isTooLong = (data: unknown): boolean => {
  const messages = (data as { readonly messages?: unknown } | null | undefined)?.messages;
  return Array.isArray(messages) && messages.length > batchSize;
};

const readBatch = (envelope: Envelope): readonly Heard[] => {
  if (isTooLong(envelope.data))
    return [unreadable(envelope.id, `A batch holds at most ${batchSize} messages.`)];
  const decoded = ClientMessage.decode(envelope);
  if (decoded._tag === "Left" || decoded.right.type !== "batch") return [unreadable(envelope.id)];
  return decoded.right.data.messages.map((one) =>
    one.type === "auth" || one.type === "batch" ? unreadable(one.id) : readOne(one),
  );
};

/** Reads what came over a socket (RT2, RT12), whatever it is; a batch is several messages in their order. */
export const readMessages = (text: string): readonly Heard[] => {
  const envelope = Envelope.decode(parsed(text));
  if (envelope._tag === "Left") return [unreadable()];
  return envelope.right.type === "batch" ? readBatch(envelope.right) : [readOne(envelope.right)];
};

/** Told when something could not be read or done; clients that do not know the type pass over it. */
interface SocketError {
  readonly type: "error";
  readonly data: { readonly message: string };
}

export type Spoken = ServerMessage | SocketError;

/** A message as text, with the time it was written; an answer repeats the id of what it answers. */
export const writeMessage = (message: Spoken, now: number, id?: string): string =>
  JSON.stringify({ ...message, ...(id === undefined ? {} : { id }), timestamp: now });
