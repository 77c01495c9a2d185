import { causeTexts } from "../../../core/mailLog/explainEntry.ts";
import type { LogCause, LogMode, LogResult } from "../../../core/mailLog/logEntry.ts";
import type {
  ArrivedMail,
  MessageContent,
  MessageResult,
  WebhookEvent,
} from "../../../core/webhooks/webhookEvent.ts";
import { shownAddress } from "../../delivery/mailLog/sentLog.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import { type Db, tryInSavepoint } from "../../platform/store/database.ts";
import type { CommittedMail } from "../../relay/decision/mailDecision.ts";
import { causeOf } from "../../relay/log/logDetail.ts";
import { resultOf } from "../../relay/log/receivedLog.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import { announce, type Occurrence } from "./announce.ts";

const messageResults: Readonly<Partial<Record<LogResult, MessageResult>>> = {
  queued: "forwarded",
  hourly: "hourly",
  archived: "archived",
  held: "held",
  blocked: "blocked",
  dropped: "dropped",
};

/** Returns the events besides the arrival of a mail. */
const eventOf = (result: MessageResult, isBlocked: boolean): readonly WebhookEvent[] => {
  if (isBlocked) return ["mail.blocked"];
  if (result === "held") return ["mail.held"];
  return result === "forwarded" || result === "hourly" ? ["mail.forwarded"] : [];
};

const reasonOf = (code: LogCause, rule: string): ArrivedMail["reason"] => ({
  code,
  text: causeTexts[code](`“${rule}”`),
});

/** Returns the part of a correspondent's address that may be sent, as the log keeps it. */
const correspondentOf = (mode: LogMode, address: string): string | null =>
  mode === "off" || address === "" ? null : shownAddress(mode, address);

const maskOf = ({ maskId, maskEmail, labels }: MailRoute): ArrivedMail["mask"] => ({
  id: maskId,
  address: maskEmail,
  labels,
});

const occurrencesOf = (mail: CommittedMail, content: MessageContent | null): readonly Occurrence[] => {
  const { decided, logId, heldIds } = mail;
  const [heldId = null] = heldIds;
  const { route, from, size, decision } = decided;
  const result = messageResults[resultOf(mail)] ?? "forwarded";
  const { cause, rule } = causeOf(decided);
  const name = decision.applied.find(({ id }) => id === rule)?.name ?? "";
  const data: ArrivedMail = {
    mask: maskOf(route),
    mail: {
      size,
      from: null,
      ...(logId === null ? {} : { logId }),
      ...(heldId === null ? {} : { heldId }),
    },
    result,
    reason: reasonOf(cause, name),
  };
  const sealed = { people: { from: correspondentOf(route.log, from) }, content: content ?? {} };
  const events: readonly WebhookEvent[] = ["mail.received", ...eventOf(result, decision.block !== null)];
  return events.map((event) => ({ userId: route.userId, event, data, sealed }));
};

/**
 * Announces stored mails to the webhooks of their owners, in their transaction; a failure ends nothing else. Each mail has its
 * content, null where no webhook asks for it.
 */
export const announceMails = async (
  db: Db,
  seal: Pick<Seal, "seal">,
  mails: readonly { readonly mail: CommittedMail; readonly content: MessageContent | null }[],
  now: number,
): Promise<void> => {
  const wanted = mails.filter(({ mail }) => mail.decided.route.webhooks !== "none");
  if (wanted.length === 0) return;
  const occurrences = wanted.flatMap(({ mail, content }) => occurrencesOf(mail, content));
  await tryInSavepoint(db, () => announce(db, seal, occurrences, now));
};

/** Returns what a message says about a mail to a mask that was refused. */
export const refusedOccurrence = (
  route: MailRoute,
  { sender, size }: { readonly sender: string; readonly size?: number },
  cause: LogCause,
): Occurrence => ({
  userId: route.userId,
  event: "mail.refused",
  data: {
    mask: maskOf(route),
    mail: { size: size ?? null, from: null },
    result: "refused",
    reason: reasonOf(cause, ""),
  },
  sealed: { people: { from: correspondentOf(route.log, sender) }, content: {} },
});
