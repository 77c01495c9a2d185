import { dataTimeoutMs, idleTimeoutMs, lingerMs, setUpTimeoutMs } from "../smtpLimits.ts";
import { idleTooLong, type SmtpReply, tooSlow } from "../smtpReplies.ts";

/**
 * `waiting`: nothing may arrive before the greeting; `command`: reads commands; `content`: reads DATA or a
 * chunk; `busy`: an answer is pending; `delayed`: an answer waits on purpose; `securing`: TLS starts; `closing`: input is dropped until the end.
 */
export type ConnectionMode = "waiting" | "command" | "content" | "busy" | "delayed" | "securing" | "closing";

/** Returns how a timed-out connection ends: with a reply or without; null while it is in time. */
export const timeoutOf = (
  mode: ConnectionMode,
  { quietMs, contentMs }: { readonly quietMs: number; readonly contentMs: number },
): SmtpReply | "destroy" | null => {
  switch (mode) {
    case "closing":
      return quietMs >= lingerMs ? "destroy" : null;
    case "waiting":
    case "securing":
      return quietMs >= setUpTimeoutMs ? "destroy" : null;
    case "content":
      if (contentMs >= dataTimeoutMs) return tooSlow;
      return quietMs >= idleTimeoutMs ? idleTooLong : null;
    case "command":
      return quietMs >= idleTimeoutMs ? idleTooLong : null;
    case "busy":
    case "delayed":
      return null;
    default:
      return mode satisfies never;
  }
};
