import { minuteMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { messagesPerMinute } from "../../../core/realtime/messages.ts";
import {
  createHandleMessage,
  errorMessage,
  type MessageContext,
  type MessageHandlerDeps,
} from "./handleMessage.ts";
import { policyViolation } from "./socketHub.ts";
import {
  decodeMessages,
  type OutgoingMessage,
  type ReceivedMessage,
  refusedMessagesPerMinute,
} from "./socketMessages.ts";

type RateVerdict = "accept" | "refuse" | "close";

/**
 * Per socket (RT9, D19): the first messages of a minute are accepted, the next are refused, and the one
 * after that closes the socket. A minute starts with the first message after the previous one.
 */
const createRateLimit = (clock: Pick<Clock, "now">): (() => RateVerdict) => {
  let startedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  return () => {
    const now = clock.now();
    if (now >= startedAt + minuteMs) {
      startedAt = now;
      count = 0;
    }
    count += 1;
    if (count <= messagesPerMinute) return "accept";
    return count <= messagesPerMinute + refusedMessagesPerMinute ? "refuse" : "close";
  };
};

export interface MessageReceiverDeps extends MessageHandlerDeps {
  readonly clock: Clock;
}

/** The user of a socket, its topics, and the functions that send messages and close it. */
export interface ReceiverContext extends Omit<MessageContext, "end"> {
  readonly close: (code: number, reason: string) => void;
}

const tooManyMessages = "Too many messages";

/** Creates the receiver of a socket's texts: handles messages in order, within the rate limit, and never rejects. */
export const createMessageReceiver = (
  deps: MessageReceiverDeps,
  { close, ...context }: ReceiverContext,
): ((text: string) => void) => {
  const { sendMessage } = context;
  const limitRate = createRateLimit(deps.clock);
  let isClosed = false;
  const end = (reason: string, last?: OutgoingMessage): void => {
    isClosed = true;
    if (last) sendMessage(last);
    close(policyViolation, reason);
  };
  const handleMessage = createHandleMessage(deps, { ...context, end });

  const handle = async (received: ReceivedMessage): Promise<void> => {
    if (isClosed || received.kind === "unknown") return;
    if (received.kind === "unreadable") return sendMessage(errorMessage(received.reason), received.id);
    const { message } = received;
    await handleMessage(message).catch(() =>
      sendMessage(errorMessage("Something went wrong. Try again."), message.id),
    );
  };
  const refuse = (received: ReceivedMessage): void => {
    const id = received.kind === "decoded" ? received.message.id : undefined;
    sendMessage(
      errorMessage(`${tooManyMessages}: ${messagesPerMinute} a minute are taken, and this one was not.`),
      id,
    );
  };

  let handling: Promise<void> = Promise.resolve();
  const accept = (received: ReceivedMessage): void => {
    if (isClosed) return;
    const verdict = limitRate();
    if (verdict === "accept") handling = handling.then(() => handle(received));
    else if (verdict === "refuse") refuse(received);
    else end(tooManyMessages, { type: "connection_error", data: { error: tooManyMessages } });
  };
  return (text) => {
    for (const received of decodeMessages(text)) accept(received);
  };
};
