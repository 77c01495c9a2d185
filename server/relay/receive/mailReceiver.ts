import type { Observable } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { RepliesPerDay } from "../../../core/tiers/tier.ts";
import { createBounces } from "../../delivery/bounces.ts";
import type { FreshMails } from "../../delivery/delivery.ts";
import type { PrepareStep } from "../../delivery/mailLog/sealDetail.ts";
import { postmasterAddress } from "../../delivery/ownAddresses.ts";
import { countReceivedInMonth } from "../../delivery/usageQueries.ts";
import type { ReverseAddress } from "../../features/correspondents/reverseAddresses.ts";
import { listConfirmedAddresses } from "../../features/destinations/destinationQueries.ts";
import { createMasksByMail } from "../../features/domains/masksByMail.ts";
import { createHoldNewMails } from "../../features/held/holdNewMail.ts";
import type { ClassifyMail } from "../../features/insights/classification.ts";
import type { PrepareLastMails } from "../../features/lastMails/keepLastMails.ts";
import type { SentLog } from "../../features/mailLog/sentLog.ts";
import { mayUseAddress } from "../../features/masks/addressRight.ts";
import { expireMask } from "../../features/masks/expireMask.ts";
import { findMailRoute, type MailRoute } from "../../features/masks/mailRoute.ts";
import { readMaskHistory } from "../../features/masks/maskStatistics.ts";
import { notifyBounce } from "../../features/notifications/failureNotice.ts";
import { createSenderLists, type SenderLists } from "../../features/senders/senderLists.ts";
import type { RawMail } from "../../mime/rawMail.ts";
import { createDnsCache } from "../../platform/dns/dnsCache.ts";
import { type AskDns, createDnsClient } from "../../platform/dns/dnsClient.ts";
import { createIsInNetworks } from "../../platform/dns/networks.ts";
import { createKeyedHash } from "../../platform/ops/keyedHash.ts";
import type { Log } from "../../platform/ops/log.ts";
import { createSeal, type Secrets } from "../../platform/ops/secrets.ts";
import type { Database } from "../../platform/store/database.ts";
import type { ChangeEvent } from "../../platform/store/events.ts";
import type { GroupCommit } from "../../platform/store/groupCommit.ts";
import { createJudge, type Judge } from "../../proof/judge.ts";
import type { JudgeOptions } from "../../proof/judgeSender.ts";
import { type CommitMailDeps, createCommitMail } from "../commit/commitMail.ts";
import { logMail } from "../commit/mailLog.ts";
import type { FindEncryption } from "../encrypt/encryptCopies.ts";
import { createEvaluateMail } from "../evaluate/evaluate.ts";
import { createMailThreads, type MailThreads } from "../evaluate/mailThreads.ts";
import { createRspamd } from "../evaluate/rspamd.ts";
import { createSpamFilter } from "../evaluate/spamFilter.ts";
import { createReservations } from "../limits/reservations.ts";
import { createSenderLimits } from "../limits/senderLimits.ts";
import type { RateLimits } from "../limits/senderRates.ts";
import { createUnknownRecipients } from "../limits/unknownRecipients.ts";
import type { CountMails } from "../plan/deliveryPlan.ts";
import { createTakeExpiringMails } from "../plan/expiringMails.ts";
import { createNoticeOffMail } from "../plan/offMailNotice.ts";
import type { DeliveryPlanDeps } from "../plan/planDelivery.ts";
import type { MailLog } from "../plan/planLog.ts";
import { createSampleSenders, type RecordVerdict, type SampleSenders } from "../plan/sampleSenders.ts";
import { createCountLateBounces } from "../replies/lateBounces.ts";
import { createReplies, type Replies } from "../replies/replies.ts";
import type { OutgoingMail } from "../replies/submitMail.ts";
import type { SmtpReply } from "../smtp/replies.ts";
import type { BeginTransaction } from "../smtp/transaction.ts";
import { createPostmaster } from "./postmaster.ts";
import { type ReceiveMailDeps, receiveMail } from "./receiveMail.ts";
import { type AcceptedMail, beginTransaction } from "./transaction.ts";
import { createWholeMails } from "./wholeMails.ts";

export interface MailReceiverDeps {
  readonly maskDomain: string;
  /** The installation's own address, whose help the refusals of replies name. */
  readonly publicUrl: string;
  /** Address for the postmaster's mail; null uses the installation's own postmaster address. */
  readonly postmaster: string | null;
  /** Networks whose mail needs no sender authentication; "none" also checks private addresses like public ones. */
  readonly trustedNetworks: readonly string[];
  /** Whether unknown recipients that an address names are not limited, because it speaks for many senders. */
  readonly isUnlimited: (address: string) => boolean;
  /** What one sender may send to one account; not for `trustedNetworks`. */
  readonly senderLimits: RateLimits & Pick<CommitMailDeps, "dailyShare">;
  readonly repliesPerDay: RepliesPerDay;
  /** Domains whose ARC seals are trusted. */
  readonly trustedSealers: readonly string[];
  /** DNS server for sender checks; null uses the system's resolver. */
  readonly dnsServer: string | null;
  /** Asks DNS for sender checks in place of `dnsServer`. */
  readonly askDns?: AskDns;
  /** Null uses only the built-in spam filter. */
  readonly rspamdUrl: string | null;
  readonly database: Database;
  /** Commits the mails with other pending writes. */
  readonly group: GroupCommit;
  /** Delivers new mail from memory; null leaves it to the queue. */
  readonly fresh: FreshMails | null;
  /** For the content of new mail; null where the spool does not survive the process. */
  readonly segments: CommitMailDeps["segments"];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly findEncryption: FindEncryption;
  readonly mailLog: MailLog;
  readonly prepareLastMails: PrepareLastMails;
  readonly sentLog: SentLog;
  readonly prepareStep: PrepareStep;
  readonly countMails: CountMails;
  readonly classifyMail: ClassifyMail;
  /** `createMailThreads` without it. */
  readonly createThreads?: (options: JudgeOptions) => MailThreads;
  /** Records sender checks of mail to masks without a spam filter; null samples no mail. */
  readonly recordVerdict: RecordVerdict | null;
  /** Changes of users' data by any process. */
  readonly changes$: Observable<ChangeEvent>;
  /** Keys of reverse addresses, threads and held mail; null disables replies and holding. */
  readonly secrets: Pick<Secrets, "hashing" | "sealing"> | null;
  /** Called after each queued mail; `isWaiting` means that the delivery must read the queue. */
  readonly onQueued: (isWaiting: boolean) => void;
}

/** Receives the mail to the masks. */
export interface MailReceiver {
  readonly beginTransaction: BeginTransaction;
  /** Sends the mail of users who have logged in; null without replies. */
  readonly outgoing: OutgoingMail | null;
  /** Stops the worker threads; call it when no transaction is open. */
  readonly stop: () => Promise<void>;
}

/** Decides about a mail before it is queued, and samples its sender afterwards. */
interface MailEvaluation {
  readonly replies: Replies | null;
  readonly judge: Judge;
  readonly planDeps: DeliveryPlanDeps;
  /** Null without keys. */
  readonly senderLists: SenderLists | null;
  readonly sampleSenders: SampleSenders;
  readonly stop: () => Promise<void>;
}

const createMailEvaluation = (deps: MailReceiverDeps): MailEvaluation => {
  const { maskDomain, trustedNetworks, trustedSealers, dnsServer, rspamdUrl } = deps;
  const { database, clock, random, classifyMail, recordVerdict } = deps;
  const options = { host: maskDomain, trustedSealers, judgesPrivate: trustedNetworks.length === 0 };
  const threads = (deps.createThreads ?? createMailThreads)(options);
  const judge = createJudge({
    options,
    pools: threads.judging,
    lookUp: createDnsCache(deps.askDns ?? createDnsClient(dnsServer), clock),
  });
  const replies = deps.secrets && createReplies({ ...deps, secrets: deps.secrets, pool: threads.replies });
  const lists =
    deps.secrets &&
    createSenderLists(createKeyedHash(deps.secrets.hashing), createSeal(deps.secrets.sealing, random));
  const rspamd = rspamdUrl === null ? null : createRspamd(rspamdUrl);
  return {
    replies,
    judge,
    senderLists: lists,
    planDeps: {
      evaluate: createEvaluateMail(threads.evaluation),
      judge,
      replies,
      isTrusted: createIsInNetworks(trustedNetworks),
      checkSpam: createSpamFilter(rspamd),
      maskDomain,
      random,
      confirmedAddressesOf: (userId) => listConfirmedAddresses(database.db, userId),
      historyOf: (maskId, month) => readMaskHistory(database.db, maskId, month),
      classifyMail,
      findContact: async (maskId, address) => replies?.findContact(maskId, address) ?? null,
      findListed: lists && ((maskId, sender) => lists.find(database.db, maskId, sender)),
    },
    sampleSenders:
      recordVerdict === null ? () => {} : createSampleSenders({ check: judge, record: recordVerdict, clock }),
    stop: threads.stop,
  };
};

/** Creates the receiver of mail with its routes, limits, rules, spam filter, encryption and commit. */
export const createMailReceiver = (deps: MailReceiverDeps): MailReceiver => {
  const { maskDomain, database, clock, log, findEncryption, onQueued } = deps;
  const { replies, judge, planDeps, senderLists, sampleSenders, stop } = createMailEvaluation(deps);
  const countMails: CountMails = async (db, mails, now) => {
    await deps.countMails(db, mails, now);
    await replies?.record(
      db,
      mails.flatMap(({ plan }) => plan.reverse),
    );
  };
  const seal = deps.secrets && createSeal(deps.secrets.sealing, deps.random);
  const bounces = createBounces({ database, clock, prepareStep: deps.prepareStep, notify: notifyBounce });
  const postmaster = createPostmaster(deps.postmaster ?? postmasterAddress(maskDomain), clock);
  const reservations = createReservations(
    (userId, month) => countReceivedInMonth(database.engine, userId, month),
    clock,
  );
  const senderLimits = createSenderLimits({
    limits: deps.senderLimits,
    isTrusted: planDeps.isTrusted,
    clock,
  });
  const wholeMails = createWholeMails();
  const receiveReply = async (
    { content, envelope }: RawMail,
    recipients: readonly ReverseAddress[],
    to: Replies,
  ) => {
    const whole = wholeMails.open(content);
    try {
      const { head, size } = content;
      const evidence = await judge({ head, size, readAll: whole.read }, envelope);
      return await to.receive({ content: await whole.read(), envelope, recipients, evidence });
    } finally {
      whole.close();
    }
  };
  const masksByMail = createMasksByMail(deps);
  const findRouteOf = async (address: string): Promise<MailRoute | null> => {
    let route = await findMailRoute(database.engine, address);
    if (route && !(await mayUseAddress(database.db, { userId: route.userId, email: address }, maskDomain)))
      return null;
    const now = clock.now();
    if (route?.active && route.expiresAt !== null && route.expiresAt <= now) {
      const expired = route;
      await database.transaction((db) => expireMask(db, expired, "its date has come", now));
      route = await findMailRoute(database.engine, address);
    }
    return route && !deps.secrets && route.whenOff === "hold" ? { ...route, whenOff: "refuse" } : route;
  };
  const receiveDeps: ReceiveMailDeps = {
    maskDomain,
    masksByMail,
    findRouteOf,
    clock,
    planDeps,
    findEncryption,
    sampleSenders,
    commit: createCommitMail({
      ...deps,
      countMails,
      dailyShare: deps.senderLimits.dailyShare,
      takeExpiring: createTakeExpiringMails(senderLists),
      holdMails: seal && createHoldNewMails(seal),
      seal,
    }),
    reservations,
    senderLimits,
    bounces,
    countLateBounces: createCountLateBounces({ database, clock, prepareStep: deps.prepareStep }),
    wholeMails,
    mailLog: deps.mailLog,
    prepareLastMails: deps.prepareLastMails,
    onEvaluated: (mail) => {
      if (log.isLevelEnabled("info")) logMail(log, mail);
      if (mail.result.kind === "queued") onQueued(mail.result.isWaiting);
    },
  };
  const unknownRecipients = createUnknownRecipients({ clock, isUnlimited: deps.isUnlimited });
  const transactionDeps = {
    maskDomain,
    publicUrl: deps.publicUrl,
    findRouteOf,
    masksByMail,
    noticeOffMail: createNoticeOffMail({ database, clock }),
    reservations,
    senderLimits,
    unknownRecipients,
    postmaster,
    replies: replies && {
      find: replies.find,
      receive: (mail: RawMail, recipients: readonly ReverseAddress[]) =>
        receiveReply(mail, recipients, replies),
    },
    bounces,
    clock,
    mailLog: deps.mailLog,
    receive: (mail: RawMail, accepted: AcceptedMail) => receiveMail(receiveDeps, mail, accepted),
  };
  const submit = async (
    to: Replies,
    ...[userId, content, recipients]: Parameters<OutgoingMail["submit"]>
  ): Promise<SmtpReply | null> => {
    const whole = wholeMails.open(content);
    try {
      return await to.submit({ userId, content: await whole.read(), recipients });
    } finally {
      whole.close();
    }
  };
  return {
    outgoing: replies && {
      findOwn: replies.findOwn,
      submit: (userId, content, recipients) => submit(replies, userId, content, recipients),
    },
    beginTransaction: (parameters) => beginTransaction(transactionDeps, parameters),
    stop,
  };
};
