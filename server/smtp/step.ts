import { formatReply, type SmtpReply } from "./replies.ts";

/** What the connection does after a command. */
type Next =
  /** Reads the next command. */
  | { readonly kind: "command" }
  /** Reads content to CRLF.CRLF. */
  | { readonly kind: "data" }
  /** Reads a BDAT chunk, and answers after it. */
  | { readonly kind: "chunk"; readonly size: number; readonly isLast: boolean }
  /** Starts TLS. */
  | { readonly kind: "secure" }
  /** Reads a line that is no command, such as a password, and gives it to `take`. */
  | { readonly kind: "line"; readonly take: (line: string) => Step | Promise<Step> }
  | { readonly kind: "close" };

/** The answer to a command, as it is sent, and what follows. */
export interface Step {
  readonly code: number;
  readonly text: string;
  readonly next: Next;
  /** Whether the client has to wait for the answer before it sends more (RFC 2920, 3.1; RFC 3207, 4.2). */
  readonly endsGroup: boolean;
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

/** Returns the step as the answer to a command after which the client has to wait. */
export const endingGroup = (step: Step): Step => ({ ...step, endsGroup: true });
