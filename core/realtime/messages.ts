import * as t from "io-ts";

/** What every message the app sends is wrapped in (RT2). `timestamp` in milliseconds. */
export const Envelope = t.intersection([
  t.type({ type: t.string }),
  t.partial({ data: t.unknown, id: t.string, timestamp: t.number, sessionId: t.string }),
]);
export type Envelope = t.TypeOf<typeof Envelope>;

export const AuthData = t.intersection([
  t.type({ token: t.string }),
  t.partial({
    sessionId: t.string,
    capabilities: t.partial({ binary: t.boolean, compression: t.boolean, encryption: t.boolean }),
  }),
]);

/** Something of the user's has changed; `resourceId` is absent when more than one thing did (RT13). */
export const DataUpdate = t.intersection([
  t.type({ resource: t.string, action: t.string }),
  t.partial({ resourceId: t.string }),
]);
export type DataUpdate = t.TypeOf<typeof DataUpdate>;

/** A message from the server, decoded as far as its type is known to us; others are ignored. */
export const ServerMessage = t.union([
  t.type({
    type: t.literal("connection_established"),
    data: t.partial({ connectionId: t.string, userId: t.string }),
  }),
  t.type({
    type: t.literal("auth_response"),
    data: t.intersection([t.type({ success: t.boolean }), t.partial({ error: t.string, userId: t.string })]),
  }),
  t.type({ type: t.literal("data_update"), data: DataUpdate }),
  t.type({ type: t.literal("heartbeat_ack") }),
  t.type({ type: t.literal("pong") }),
]);
export type ServerMessage = t.TypeOf<typeof ServerMessage>;
