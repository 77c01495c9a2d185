import { type Failure, network } from "../kernel/failure.ts";

// What whoever waits for an answer over the socket is told (RT10).

export const connectionClosed = "WebSocket connection closed";
export const serviceReset = "WebSocket service reset";
export const notConnected: Failure = network("WebSocket not connected");
export const timedOut = (afterMs: number): Failure => network(`Operation timed out after ${afterMs}ms`);
