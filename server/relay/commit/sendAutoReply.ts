import { enqueue } from "../../delivery/queue/queueQueries.ts";
import { claimAutomaticAnswer } from "../decision/automaticAnswerQueries.ts";
import type { AutoReply } from "../decision/mailDecision.ts";
import type { MailCommit } from "../mailPart.ts";
import type { MailRoute } from "../mailRoute.ts";

/** Sends the automatic reply unless its sender got one recently; returns whether it is sent. */
export const sendAutoReply = async (
  { db, now, random }: MailCommit,
  { userId, maskId }: MailRoute,
  { senderHash, recipient, content }: AutoReply,
): Promise<boolean> => {
  if (!(await claimAutomaticAnswer(db, { userId, maskId, senderHash }, now))) return false;
  await enqueue(db, { userId, maskId, envelopeSender: "", recipient, content }, { now, random });
  return true;
};
