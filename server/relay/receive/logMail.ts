import type { Log } from "../../platform/ops/log.ts";
import type { CommitResult } from "../commit/commitRequest.ts";
import type { MailDecision } from "../decision/mailDecision.ts";

/** A mail that has arrived, and its result. */
export interface MailLogEntry {
  readonly mailId: string;
  /** null for a mail that was refused before anything of it could be stored. */
  readonly result: CommitResult | null;
  readonly decisions: readonly MailDecision[];
  /** SMTP code of the reply to the sender. */
  readonly code: number;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds from the last byte to the reply. */
  readonly ms: number;
}

const spamFields = ({ by, rating, score, authentication }: NonNullable<MailDecision["spam"]>) => ({
  by,
  rating,
  score,
  ...authentication,
});

const fieldsOf = ({
  route,
  decision,
  readDepth,
  copies,
  digest,
  archive,
  autoReply,
  spam,
}: MailDecision) => ({
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

/**
 * Logs one line about a mail, without addresses, subject or any text of its sender or owner. Its id is in the lines about
 * the delivery of its copies too.
 */
export const logMail = (log: Log, { mailId, result, decisions, code, size, ms }: MailLogEntry): void =>
  log.info(
    {
      mail: mailId,
      outcome: result?.kind ?? "refused",
      code,
      size,
      ms: Math.round(ms),
      masks: decisions.map(fieldsOf),
    },
    "mail",
  );
