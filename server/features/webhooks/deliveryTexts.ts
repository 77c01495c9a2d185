import { retriedForHours } from "../../../core/webhooks/webhookEndpoints.ts";
import { answerWithinMs } from "../../platform/outgoing/publicHttpClient.ts";
import type { MessageFailure } from "./webhookTables.ts";

const failureTexts: Readonly<Record<Exclude<MessageFailure, "status" | "redirect">, string>> = {
  address: "The address cannot be used: it needs https:// and no user name.",
  port: "The port belongs to mail servers and is not used.",
  "private-network": "The address is in a private network, which this server does not reach.",
  "own-listener": "The address is this server itself.",
  insecure: "The address begins with http://, and its network is not one that the operator lists.",
  "unknown-host": "The name of the host was not found.",
  refused: "Nothing answers at this address.",
  closed: "The connection was closed before the answer was complete.",
  unreachable: "The host could not be reached.",
  certificate: "The certificate of the host is not valid for its name.",
  "header-too-large": "The header of the answer was too large.",
  "not-http": "The answer was not HTTP.",
  timeout: `The answer was not complete within ${answerWithinMs / 1_000} seconds.`,
  stopped: "This server stopped during the attempt.",
  paused: "The webhook was paused before it was sent.",
  overflow: "Too many newer messages waited.",
  unsendable: "This server could not send it.",
};

/** Says why an attempt failed; null for a success. */
export const describeFailure = (failure: MessageFailure | null, status: number | null): string | null => {
  if (failure === null) return null;
  if (failure === "redirect") return `Answered ${status}: redirects are not followed.`;
  if (failure === "status")
    return status === 410
      ? "Answered 410: the receiver is gone."
      : `Answered ${status}, which is not a success.`;
  return failureTexts[failure];
};

/** Notifies the owner of a webhook that its server has stopped sending. */
export const pausedText = (host: string, because: "failing" | "gone"): string =>
  because === "gone"
    ? `The webhook to ${host} was paused, because the receiver answered that it is gone (410). Resume the webhook in Settings when the receiver is back.`
    : `The webhook to ${host} was paused, because nothing could be delivered for ${retriedForHours} hours. Look at the deliveries in Settings, and resume the webhook there.`;

/** Notifies the owner of a new webhook, which a stranger in the session could have made. */
export const createdText = (host: string): string =>
  `A webhook was added that notifies ${host} of your mail and masks. If this was not you, delete it in Settings and end all other sessions.`;

export const testText = "This is a test. Nothing has happened to your mail or masks.";
