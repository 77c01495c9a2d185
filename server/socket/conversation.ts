import type { Clock } from "../../core/ports/clock.ts";
import { type Heard, readMessages, type Spoken } from "./messages.ts";
import { makePace } from "./pace.ts";
import { error, makeReaction, type ReactionParts, type Talker } from "./reaction.ts";
import { policyViolation } from "./socketHub.ts";

export interface ConversationParts extends ReactionParts {
  readonly clock: Clock;
}

/** Whose socket it is, and how it is spoken to. */
export interface Listener extends Omit<Talker, "end"> {
  readonly close: (code: number, reason: string) => void;
}

const tooMany = "Too many messages";

/**
 * One socket's talk: takes each text that comes and answers its messages one after the other, at the pace that is
 * allowed. Never rejects.
 */
export const makeConversation = (
  parts: ConversationParts,
  { close, ...listener }: Listener,
): ((text: string) => void) => {
  const { say } = listener;
  const pace = makePace(parts.clock);
  let isOver = false;
  const end = (reason: string, last?: Spoken): void => {
    isOver = true;
    if (last) say(last);
    close(policyViolation, reason);
  };
  const react = makeReaction(parts, { ...listener, end });

  const take = async (heard: Heard): Promise<void> => {
    if (isOver || heard.kind === "unknown") return;
    if (heard.kind === "unreadable") return say(error(heard.why), heard.id);
    const { message } = heard;
    await react(message).catch(() =>
      say(error("Something went wrong on our side. Please try again."), message.id),
    );
  };
  const passOver = (heard: Heard): void => {
    const id = heard.kind === "said" ? heard.message.id : undefined;
    say(error(`${tooMany}: 100 a minute are taken, and this one was not.`), id);
  };

  let taking: Promise<void> = Promise.resolve();
  const judge = (heard: Heard): void => {
    if (isOver) return;
    const judgement = pace();
    if (judgement === "taken") taking = taking.then(() => take(heard));
    else if (judgement === "passed over") passOver(heard);
    else end(tooMany, { type: "connection_error", data: { error: tooMany } });
  };
  return (text) => {
    for (const heard of readMessages(text)) judge(heard);
  };
};
