import { formatReply, type SmtpReply } from "./smtpReplies.ts";

/** The connection's next step after a command. */
type Next =
  | { readonly kind: "command" }
  /** Reads content to CRLF.CRLF. */
  | { readonly kind: "data" }
  /** Reads a BDAT chunk, and answers after it. */
  | { readonly kind: "chunk"; readonly size: number; readonly isLast: boolean }
  | { readonly kind: "secure" }
  | { readonly kind: "close" };

/** The answer to a command, and the next step. */
export interface Step {
  readonly code: number;
  readonly text: string;
  readonly next: Next;
  /** True if the client must wait for the answer before it sends more (RFC 2920, 3.1; RFC 3207, 4.2). */
  readonly endsGroup: boolean;
  /** The time that the answer waits, in milliseconds. */
  readonly delayMs?: number;
}

const command: Next = { kind: "command" };
const close: Next = { kind: "close" };

/** Creates the step that sends a reply and reads the next command. */
export const stepOf = (reply: SmtpReply, next: Next = command): Step => ({
  code: reply.code,
  text: formatReply(reply),
  next,
  endsGroup: false,
});

/** Creates the step that sends a reply and closes the connection. */
export const lastStepOf = (reply: SmtpReply): Step => stepOf(reply, close);

/** Creates the step that sends nothing. */
export const silentStep = (next: Next): Step => ({ code: 0, text: "", next, endsGroup: false });

/** Marks a step as the answer that the client must wait for. */
export const endingGroup = (step: Step): Step => ({ ...step, endsGroup: true });
