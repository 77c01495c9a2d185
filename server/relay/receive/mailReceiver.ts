import { createBounces, type NotifyBounce } from "../../delivery/bounces.ts";
import { postmasterAddress } from "../../delivery/serviceAddresses.ts";
import { countReceivedInMonth } from "../../delivery/usageQueries.ts";
import type { BeginTransaction } from "../../smtp/smtpTransaction.ts";
import { createCommitMail } from "../commit/commitMail.ts";
import type { FindEncryption } from "../encrypt/encryptCopies.ts";
import { createEvaluateMail, type EvaluationThreads } from "../evaluate/evaluate.ts";
import { type CheckWithRspamd, createRspamd } from "../evaluate/rspamd.ts";
import { createSpamFilter } from "../evaluate/spamFilter.ts";
import {
  createInstallationShares,
  type InstallationShare,
  postmasterShare,
  reportShare,
} from "../limits/installationShares.ts";
import { createKeptRoom } from "../limits/keptRoom.ts";
import { createReservations } from "../limits/reservations.ts";
import { createSenderLimits } from "../limits/senderLimits.ts";
import { createUnknownRecipients } from "../limits/unknownRecipients.ts";
import { logMail } from "../log/logMail.ts";
import { createReceivedLog } from "../log/receivedLog.ts";
import { foldParts, type MailPart, type RefusedAtMasks } from "../mailPart.ts";
import type { RelayContext } from "../relayContext.ts";
import { createPostmaster } from "./postmaster.ts";
import { type ReceiveMailDeps, receiveMail } from "./receiveMail.ts";
import { beginTransaction, type TransactionDeps } from "./transaction.ts";

/** What recipients need that features own. */
type RecipientDeps = Pick<
  TransactionDeps,
  "masksByMail" | "findMaskOf" | "mayMakeMask" | "noticeOffMail" | "replies"
> &
  Pick<ReceiveMailDeps, "masksByMail" | "findOwnAnswers" | "complaints" | "countLateBounces"> & {
    readonly receiverReports: TransactionDeps["receiverReports"] & ReceiveMailDeps["receiverReports"];
    readonly notifyBounce: NotifyBounce;
  };

export interface MailReceiverDeps {
  readonly relay: RelayContext;
  /** What features have to do with mail, in their order. */
  readonly parts: readonly MailPart[];
  readonly recipients: RecipientDeps;
  /** Finds the keys to which an owner's mail is encrypted. */
  readonly findEncryption: FindEncryption;
  readonly evaluationThreads: EvaluationThreads;
  /** Whether unknown recipients that an address names are not limited, because it speaks for many senders. */
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
  const { relay, recipients, findEncryption, evaluationThreads, isUnlimited } = deps;
  const { config, database, clock, log, metrics, onQueued } = relay;
  const { maskDomain, publicUrl } = config;
  const parts = foldParts(deps.parts);
  const { records } = parts;
  const receivedLog = createReceivedLog({ ...relay, seal: relay.sealDetail });
  const refused = (mail: RefusedAtMasks): void => {
    receivedLog.refused(mail);
    for (const record of records) record.refused?.(mail);
  };
  const keptRoom = createKeptRoom({ database, space: relay.keptSpace, clock });
  const senderLimits = createSenderLimits({ ...relay, limits: config.senderLimits });
  const reservations = createReservations(
    (userId, month) => countReceivedInMonth(database.engine, userId, month),
    clock,
  );
  const bounces = createBounces({ ...relay, notify: recipients.notifyBounce });
  const sharesOf = (name: string, share: InstallationShare) => createInstallationShares(relay, name, share);
  const postmaster = createPostmaster(config.postmaster ?? postmasterAddress(maskDomain), {
    judge: relay.judge,
    shares: sharesOf("mail to the postmaster", postmasterShare),
  });
  const shared = { ...relay, ...recipients, maskDomain, publicUrl, reservations, senderLimits, keptRoom };
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
    bounces,
    postmaster,
    receivedLog,
    refused,
    onReceived: (mail) => {
      if (log.isLevelEnabled("info")) logMail(log, mail);
      if (mail.result === null) return;
      for (const outcome of mail.result.outcomes) metrics.countMail(outcome);
      if (mail.result.kind === "queued") onQueued(mail.result.isWaiting);
    },
  };
  const transactionDeps: TransactionDeps = {
    ...shared,
    refused,
    noRoom: async (route, reply) => {
      for (const record of records) await record.noRoom?.(route, reply);
    },
    unknownRecipients: createUnknownRecipients({ ...relay, isUnlimited }),
    postmaster,
    admitFeedback: sharesOf("reports of feedback loops", reportShare).admit,
    bounces,
    receive: (mail, accepted) => receiveMail(receiveDeps, mail, accepted),
  };
  return (parameters) => beginTransaction(transactionDeps, parameters);
};
