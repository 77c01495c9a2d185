import type { Clock } from "../ports/clock.ts";
import { type Random, randomHex } from "../ports/random.ts";
import type { ClientMessage } from "./clientMessages.ts";

type Without<Message> = Message extends { readonly type: string }
  ? Pick<Message, keyof Message & ("type" | "data")>
  : never;

/** What is said, without the envelope. */
export type Said = Without<ClientMessage>;

/** A message as it goes over the wire, under the name by which it is known here. */
export interface Enveloped {
  readonly id: string;
  readonly text: string;
}

export interface Envelopes {
  readonly wrap: (said: Said) => Enveloped;
  /** One message that holds several, in their order. */
  readonly wrapAll: (messages: readonly Enveloped[]) => string;
}

/** The envelope of one run of the app (RT2). */
export const makeEnvelopes = (clock: Clock, random: Random, sessionId: string): Envelopes => {
  const around = (type: string, id: string): string =>
    JSON.stringify({ type, id, timestamp: clock.now(), sessionId });
  const newId = (): string => randomHex(random, 8);
  return {
    wrap: (said) => {
      if (said.type === "heartbeat" || said.type === "heartbeat_ack")
        return { id: "", text: JSON.stringify({ ...said, timestamp: clock.now(), sessionId }) };
      const id = newId();
      return { id, text: JSON.stringify({ ...said, id, timestamp: clock.now(), sessionId }) };
    },
    wrapAll: (messages) => {
      const [only] = messages;
      if (only !== undefined && messages.length === 1) return only.text;
      const texts = messages.map(({ text }) => text).join(",");
      return `${around("batch", newId()).slice(0, -1)},"data":{"messages":[${texts}]}}`;
    },
  };
};
