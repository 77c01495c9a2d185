import { type Failure, network } from "../kernel/failure.ts";

// What whoever waits for an answer over the socket is told (RT10).

export const connectionClosed = "WebSocket connection closed";
export const serviceReset = "WebSocket service reset";
export const notConnected: Failure = network("WebSocket not connected");

/** Why no answer was heard, as the history of the connection tells it. */
export const whyUnanswered = (failure: Failure): string =>
  failure.kind === "timeout"
    ? `Operation timed out after ${failure.afterMs}ms`
    : failure.kind === "network"
      ? failure.detail
      : failure.kind;
