import { countReceivedInMonth } from "../../delivery/usageQueries.ts";
import type { BeginTransaction } from "../../smtp/smtpTransaction.ts";
import { createCommitMail } from "../commit/commitMail.ts";
import type { FindEncryption } from "../encrypt/encryptCopies.ts";
import { createEvaluateMail, type EvaluationThreads } from "../evaluate/evaluate.ts";
import { type CheckWithRspamd, createRspamd } from "../evaluate/rspamd.ts";
import { createSpamFilter } from "../evaluate/spamFilter.ts";
import { createReservations } from "../limits/reservations.ts";
import { createSenderLimits } from "../limits/senderLimits.ts";
import { createUnknownRecipients } from "../limits/unknownRecipients.ts";
import { createReceivedLog } from "../log/receivedLog.ts";
import { foldParts, type MailPart, type RefusedAtMasks } from "../mailPart.ts";
import type { RelayContext } from "../relayContext.ts";
import { logMail } from "./logMail.ts";
import { type ReceiveMailDeps, receiveMail } from "./receiveMail.ts";
import { MailTransaction, type TransactionDeps } from "./transaction.ts";

export interface MailReceiverDeps {
  readonly relay: RelayContext;
  /** The parts of features, in their order. */
  readonly parts: readonly MailPart[];
  /** Finds the keys to which an owner's mail is encrypted. */
  readonly findEncryption: FindEncryption;
  readonly evaluationThreads: EvaluationThreads;
  /** True if unknown recipients that an address names are not limited, because it speaks for many senders. */
  readonly isUnlimited: (address: string) => boolean;
}

/** Returns the client of rspamd, whose answers are counted; null without one. */
const countedRspamd = ({ config, metrics }: RelayContext): CheckWithRspamd | null => {
  if (config.rspamdUrl === null) return null;
  const rspamd = createRspamd(config.rspamdUrl);
  return async (content, envelope) => {
    const verdict = await rspamd(content, envelope);
    metrics.countRspamd(verdict ? "answered" : "failed");
    return verdict;
  };
};

/** Creates the receiver of mail to the masks, with its limits, rules, spam filter, encryption and commit. */
export const createMailReceiver = (deps: MailReceiverDeps): BeginTransaction => {
  const { relay, findEncryption, evaluationThreads, isUnlimited } = deps;
  const { config, database, clock, log, metrics, onQueued, postmaster, keptRoom } = relay;
  const { maskDomain } = config;
  const parts = foldParts(deps.parts);
  const { records } = parts;
  const receivedLog = createReceivedLog({ ...relay, seal: relay.sealDetail });
  const shared = {
    ...relay,
    maskDomain,
    // Every domain has a postmaster, where no kind knows another one.
    kinds: [...parts.recipients, postmaster],
    reservations: createReservations(
      (userId, month) => countReceivedInMonth(database.engine, userId, month),
      clock,
    ),
    senderLimits: createSenderLimits({ ...relay, limits: config.senderLimits }),
    refused: (mail: RefusedAtMasks): void => {
      receivedLog.refused(mail);
      for (const record of records) record.refused?.(mail);
    },
  };
  const receiveDeps: ReceiveMailDeps = {
    ...shared,
    decideDeps: {
      ...relay,
      maskDomain,
      parts,
      evaluate: createEvaluateMail(evaluationThreads),
      checkSpam: createSpamFilter(countedRspamd(relay)),
    },
    findEncryption,
    commit: createCommitMail({ ...relay, dailyShare: config.senderLimits.dailyShare, keptRoom, records }),
    receivedLog,
    onReceived: (mail) => {
      if (log.isLevelEnabled("info")) logMail(log, mail);
      if (mail.result === null) return;
      for (const outcome of mail.result.outcomes) metrics.countMail(outcome);
      if (mail.result.kind === "queued") onQueued(mail.result.isWaiting);
    },
  };
  const transactionDeps: TransactionDeps = {
    ...shared,
    unknownRecipients: createUnknownRecipients({ ...relay, isUnlimited }),
    receive: (mail, transaction) => receiveMail(receiveDeps, mail, transaction),
  };
  return (parameters) => new MailTransaction(transactionDeps, parameters);
};
