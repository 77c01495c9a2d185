import type { EmailAddress } from "../../core/mail/emailAddress.ts";
import { isSameMailbox } from "../../core/mail/mailboxName.ts";
import { isLoopback } from "../platform/ops/networkOf.ts";
import type { Judge } from "./judge.ts";

/**
 * Lets mail from this machine count as proven for one address alone, with which the demo plays an owner: on loopback there is
 * no SPF or DKIM that could prove anybody. Never part of a server that is operated.
 */
export const proveOnLoopback =
  (judge: Judge, owner: EmailAddress): Judge =>
  async (mail, envelope) => {
    const evidence = await judge(mail, envelope);
    const isOwner = isSameMailbox(envelope.sender, owner);
    const { remoteAddress } = envelope;
    if (!isOwner || remoteAddress === null || !isLoopback(remoteAddress)) return evidence;
    return { ...evidence, proof: "proven", alignedBy: ["spf"] };
  };
