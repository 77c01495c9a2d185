import type { ConnectionModel, Transition } from "./connection.ts";
import { inactiveAfterMs, longestServerRetryMs, serverRetryMs } from "./connectionTimes.ts";
import type { ServerMessage } from "./messages.ts";
import { down, go, hangUp, note, refused, start } from "./transitions.ts";

type ErrorData = Extract<ServerMessage, { readonly type: "connection_error" }>["data"];

const troubled = (
  model: ConnectionModel,
  { error = "", reconnect, reconnectDelay }: ErrorData,
): Transition => {
  const noted = note({ kind: "server-error", error });
  if (reconnect !== true) return go({ ...model, mayReturn: reconnect ?? model.mayReturn }, noted);
  const afterMs = Math.min(Math.max(reconnectDelay ?? serverRetryMs, 0), longestServerRetryMs);
  return go(down(model, "retry"), noted, ...hangUp("as the server asked"), start("retry", afterMs));
};

/** What a message makes of the connection; what it says to others is none of its business. */
export const received = (model: ConnectionModel, message: ServerMessage): Transition => {
  if (model.state !== "connected") return go(model);
  switch (message.type) {
    case "auth_response":
      if (message.data.success) return go({ ...model, refusals: 0 });
      return refused(model, [
        note({ kind: "refused", error: message.data.error ?? "" }),
        ...hangUp("authentication failed"),
      ]);
    case "connection_error":
      return troubled(model, message.data);
    case "heartbeat":
      return go(model, { kind: "say", type: "heartbeat_ack" });
    case "heartbeat_ack":
    case "pong":
      return go(model, { kind: "stop", timer: "reply" });
    default:
      return go(model, start("inactivity", inactiveAfterMs));
  }
};
