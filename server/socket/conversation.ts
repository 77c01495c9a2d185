import type { Clock } from "../../core/ports/clock.ts";
import type { ServerMessage } from "../../core/realtime/messages.ts";
import type { Caller } from "../http/caller.ts";
import type { Sessions } from "../identity/sessions.ts";
import { type ClientMessage, readMessage } from "./messages.ts";
import { policyViolation } from "./socketHub.ts";
import { messagesPerMinute } from "./socketLimits.ts";

/** What the server does about a message: says something, closes, both or nothing. */
export interface Reaction {
  readonly say?: ServerMessage | { readonly type: "error"; readonly data: { readonly message: string } };
  readonly close?: { readonly code: number; readonly reason: string };
}

export interface ConversationParts {
  readonly sessions: Pick<Sessions, "read" | "goesOn">;
  readonly clock: Clock;
  readonly caller: Caller;
  /** The session cookie the socket was opened with. */
  readonly cookie: string | undefined;
}

const minuteMs = 60_000;
const ended: Reaction = { close: { code: policyViolation, reason: "The session has ended" } };

/** One socket's talk: what is answered to each text that comes. Never rejects. */
export const makeConversation = ({ sessions, clock, caller, cookie }: ConversationParts) => {
  let minute = 0;
  let heard = 0;

  const isTooMuch = (): boolean => {
    const now = Math.floor(clock.now() / minuteMs);
    heard = now === minute ? heard + 1 : 1;
    minute = now;
    return heard > messagesPerMinute;
  };

  const authenticate = async (token: string): Promise<Reaction> => {
    const claimed = await sessions.read(token, cookie);
    if (claimed?.sessionId === caller.sessionId)
      return { say: { type: "auth_response", data: { success: true, userId: caller.userId } } };
    return {
      say: { type: "auth_response", data: { success: false, error: "Invalid or expired token" } },
      close: { code: policyViolation, reason: "Authentication failed" },
    };
  };

  const react = async (message: ClientMessage): Promise<Reaction> => {
    switch (message.kind) {
      case "auth":
        return authenticate(message.token);
      case "heartbeat":
        return (await sessions.goesOn(caller.sessionId)) ? { say: { type: "heartbeat_ack" } } : ended;
      case "ping":
        return { say: { type: "pong" } };
      case "other":
        return {};
      case "unreadable":
        return { say: { type: "error", data: { message: "This message could not be read." } } };
    }
  };

  return async (text: string): Promise<Reaction> => {
    if (isTooMuch()) return { close: { code: policyViolation, reason: "Too many messages" } };
    try {
      return await react(readMessage(text));
    } catch {
      return {};
    }
  };
};
