import type { LoggedSender, SentLog } from "../../delivery/mailLog/sentLog.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import type { Recipient } from "./commitReplies.ts";
import { causeOf, type ReplyRefusal } from "./replyRefusals.ts";

/** A refused mail of an owner. */
interface RefusedReply {
  readonly content: { readonly length: number };
  readonly recipients: readonly Pick<Recipient, "address" | "reverse">[];
}

/** Logs a refused mail of an owner with the reason and the answer to its sender; a stranger's is not logged. */
export const logRefusedReply = (
  sentLog: SentLog,
  sender: LoggedSender,
  { content, recipients }: RefusedReply,
  refusal: ReplyRefusal,
  { code, status, text }: SmtpReply,
): void => {
  const cause = causeOf(refusal);
  if (cause === null) return;
  const addresses = recipients.map(({ address, reverse }) => reverse?.correspondent.address ?? address);
  const mail = { recipients: addresses, size: content.length };
  sentLog.refused(sender, mail, cause, `${code} ${status} ${text}`);
};
