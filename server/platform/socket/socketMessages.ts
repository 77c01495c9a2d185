import { ClientMessage } from "../../../core/realtime/clientMessages.ts";
import { batchSize, Envelope, type ServerMessage } from "../../../core/realtime/messages.ts";

/** The interval at which the server pings each socket. */
export const pingIntervalMs = 30_000;
/** The maximum number of open sockets per user. */
export const maxSocketsPerUser = 10;
/** The number of messages over the limit of 100 per minute (RT9) that are refused before the socket is closed. */
export const refusedMessagesPerMinute = 100;
/** The maximum number of unsent bytes per socket. */
export const maxUnsentBytes = 1_000_000;
/** The maximum number of topics per socket. */
export const maxTopicsPerSocket = 100;

/** One received message after decoding. */
export type ReceivedMessage =
  | { readonly kind: "decoded"; readonly message: Exclude<ClientMessage, { readonly type: "batch" }> }
  /** A valid message of a type that the server ignores. */
  | { readonly kind: "unknown" }
  | { readonly kind: "unreadable"; readonly id: string | undefined; readonly reason: string };

const parseJson = (text: string): unknown => {
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

const unreadable = (id?: string, reason = "This message could not be read."): ReceivedMessage => ({
  kind: "unreadable",
  id,
  reason,
});

const decodeMessage = (envelope: Envelope): ReceivedMessage => {
  if (!knownTypes.has(envelope.type)) return { kind: "unknown" };
  const decoded = ClientMessage.decode(envelope);
  return decoded._tag === "Right" && decoded.right.type !== "batch"
    ? { kind: "decoded", message: decoded.right }
    : unreadable(envelope.id);
};

const isTooLong = (data: unknown): boolean => {
  const messages = (data as { readonly messages?: unknown } | null | undefined)?.messages;
  return Array.isArray(messages) && messages.length > batchSize;
};

const decodeBatch = (envelope: Envelope): readonly ReceivedMessage[] => {
  if (isTooLong(envelope.data))
    return [unreadable(envelope.id, `A batch holds at most ${batchSize} messages.`)];
  const decoded = ClientMessage.decode(envelope);
  if (decoded._tag === "Left" || decoded.right.type !== "batch") return [unreadable(envelope.id)];
  return decoded.right.data.messages.map((message) =>
    message.type === "auth" || message.type === "batch" ? unreadable(message.id) : decodeMessage(message),
  );
};

/** Decodes a received text (RT2, RT12); a batch becomes several messages in order. */
export const decodeMessages = (text: string): readonly ReceivedMessage[] => {
  const envelope = Envelope.decode(parseJson(text));
  if (envelope._tag === "Left") return [unreadable()];
  return envelope.right.type === "batch" ? decodeBatch(envelope.right) : [decodeMessage(envelope.right)];
};

/** Sent when a message cannot be read or handled; clients ignore unknown types. */
interface SocketError {
  readonly type: "error";
  readonly data: { readonly message: string };
}

/** Sent on a stream of events that does not go on where it was left. */
interface StreamReset {
  readonly type: "reset";
  readonly data: { readonly message: string };
}

export type OutgoingMessage = ServerMessage | SocketError | StreamReset;

/** Encodes a message as JSON with the time it is sent; an answer has the id of its request. */
export const encodeMessage = (message: OutgoingMessage, now: number, id?: string): string =>
  JSON.stringify({ ...message, ...(id === undefined ? {} : { id }), timestamp: now });
