import type { Log } from "../../platform/ops/log.ts";
import type { DeliveryPlan } from "../plan/deliveryPlan.ts";
import type { CommitResult } from "./commitRequest.ts";

/** A mail that was evaluated, and its result. */
export interface MailLogEntry {
  readonly result: CommitResult;
  readonly plans: readonly DeliveryPlan[];
  /** SMTP code of the reply to the sender. */
  readonly code: number;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds from the last byte to the reply. */
  readonly ms: number;
}

const spamFields = ({ by, isSpam, score, authentication }: NonNullable<DeliveryPlan["spam"]>) => ({
  by,
  isSpam,
  score,
  ...authentication,
});

const planFields = ({
  route,
  decision,
  readDepth,
  copies,
  digest,
  archive,
  autoReply,
  spam,
}: DeliveryPlan) => ({
  mask: route.maskId,
  read: readDepth,
  block: decision.block?.how ?? "no",
  rules: decision.applied.length,
  actions: [...new Set(decision.applied.flatMap(({ actions }) => actions))],
  copies: copies.length,
  digest: digest.length,
  archive: archive !== null,
  answer: autoReply !== null,
  spam: spam && spamFields(spam),
});

/** Logs one line about a mail, without addresses, subject or any text of its sender or owner. */
export const logMail = (log: Log, { result, plans, code, size, ms }: MailLogEntry): void =>
  log.info({ outcome: result.kind, code, size, ms: Math.round(ms), masks: plans.map(planFields) }, "mail");
