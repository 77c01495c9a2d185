import { type Failure, network } from "../kernel/failure.ts";

// The failures of requests over the socket (RT10).

export const connectionClosed = "WebSocket connection closed";
export const serviceReset = "WebSocket service reset";
export const notConnected: Failure = network("WebSocket not connected");

/** Describes why a request got no answer, for the connection history. */
export const describeUnanswered = (failure: Failure): string =>
  failure.kind === "timeout"
    ? `Operation timed out after ${failure.afterMs}ms`
    : failure.kind === "network"
      ? failure.detail
      : failure.kind;
