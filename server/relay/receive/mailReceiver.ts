import type { Observable } from "rxjs";
import type { DomainName } from "../../../core/mail/domainName.ts";
import type { EmailAddress } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { RepliesPerDay } from "../../../core/tiers/tier.ts";
import { createBounces } from "../../delivery/bounces.ts";
import type { FreshMails } from "../../delivery/delivery.ts";
import type { PrepareStep } from "../../delivery/mailLog/sealDetail.ts";
import { postmasterAddress } from "../../delivery/ownAddresses.ts";
import type { BodyWriter } from "../../delivery/queue/bodyStore.ts";
import type { KeptSpace } from "../../delivery/queue/keptSpace.ts";
import { countReceivedInMonth } from "../../delivery/usageQueries.ts";
import { createSignedLinks } from "../../features/actionLinks/actionLinks.ts";
import { createComplaints } from "../../features/complaints/complaints.ts";
import { ShownDescriptions } from "../../features/correspondents/shownDescriptions.ts";
import { listConfirmedAddresses } from "../../features/destinations/destinationQueries.ts";
import { createMasksByMail } from "../../features/domains/masksByMail.ts";
import { createNewMaskRecipients } from "../../features/domains/newMaskRecipients.ts";
import { createHoldNewMails } from "../../features/held/holdNewMail.ts";
import type { ClassifyMail } from "../../features/insights/classification.ts";
import type { PrepareLastMails } from "../../features/lastMails/keepLastMails.ts";
import type { SentLog } from "../../features/mailLog/sentLog.ts";
import { createTakeExpiringMails } from "../../features/masks/expiringMails.ts";
import { createFindMask } from "../../features/masks/findMask.ts";
import { createMaskRecipients } from "../../features/masks/maskRecipients.ts";
import { readMaskHistory, recordTag } from "../../features/masks/maskStatistics.ts";
import { createNoticeOffMail } from "../../features/masks/offMailNotice.ts";
import { notifyBounce } from "../../features/notifications/failureNotice.ts";
import { createNoticeNoRoom } from "../../features/notifications/noRoomNotice.ts";
import { createCountLateBounces } from "../../features/replies/lateBounces.ts";
import { createReplies, type Replies } from "../../features/replies/replies.ts";
import { createReplyRecipients } from "../../features/replies/replyRecipients.ts";
import type { OutgoingMail } from "../../features/replies/submitMail.ts";
import { createFeedbackRecipients } from "../../features/reports/feedbackRecipients.ts";
import { createReceiverReports } from "../../features/reports/receiveReport.ts";
import { createReportRecipients } from "../../features/reports/reportRecipients.ts";
import { createSenderLists, type SenderLists } from "../../features/senders/senderLists.ts";
import { createMailingLists, type MailingLists } from "../../features/unsubscribe/mailingLists.ts";
import { createWriteUnsubscribe } from "../../features/unsubscribe/unsubscribeFields.ts";
import { createUnsubscribeLinks } from "../../features/unsubscribe/unsubscribeLinks.ts";
import { alsoAnnounceRefused } from "../../features/webhooks/announceRefused.ts";
import { createDnsCache } from "../../platform/dns/dnsCache.ts";
import type { AskDns } from "../../platform/dns/dnsClient.ts";
import { createIsInNetworks } from "../../platform/dns/networks.ts";
import type { KeyPool } from "../../platform/openpgp/keyThreads.ts";
import { createKeyedHash } from "../../platform/ops/keyedHash.ts";
import type { Log } from "../../platform/ops/log.ts";
import { createSeal, type Secrets } from "../../platform/ops/secrets.ts";
import type { Tracing } from "../../platform/ops/tracing.ts";
import type { Rates } from "../../platform/rates/rates.ts";
import type { Database } from "../../platform/store/database.ts";
import type { ChangeEvent } from "../../platform/store/events.ts";
import type { GroupCommit } from "../../platform/store/groupCommit.ts";
import { createJudge, type Judge } from "../../proof/judge.ts";
import type { JudgeOptions } from "../../proof/judgeSender.ts";
import { proveOnLoopback } from "../../proof/proveOnLoopback.ts";
import type { SmtpReply } from "../../smtp/replies.ts";
import type { BeginTransaction } from "../../smtp/transaction.ts";
import { type CommitMailDeps, createCommitMail } from "../commit/commitMail.ts";
import { logMail } from "../commit/logMail.ts";
import type { DecideMailDeps } from "../decision/decideMail.ts";
import type { CountMails } from "../decision/mailDecision.ts";
import type { SampleSenders } from "../decision/sampleSenders.ts";
import type { FindEncryption } from "../encrypt/encryptCopies.ts";
import { createEvaluateMail } from "../evaluate/evaluate.ts";
import type { MailThreads } from "../evaluate/mailThreads.ts";
import { type CheckWithRspamd, createRspamd } from "../evaluate/rspamd.ts";
import { createSpamFilter } from "../evaluate/spamFilter.ts";
import {
  createInstallationShares,
  type InstallationShare,
  postmasterShare,
  reportShare,
} from "../limits/installationShares.ts";
import { createKeptRoom } from "../limits/keptRoom.ts";
import { createNewMaskShare } from "../limits/newMaskShare.ts";
import { createReservations } from "../limits/reservations.ts";
import { createSenderLimits } from "../limits/senderLimits.ts";
import type { RateLimits } from "../limits/senderRates.ts";
import { createUnknownRecipients } from "../limits/unknownRecipients.ts";
import type { RelayMetrics } from "../metrics/relayMetrics.ts";
import { createPostmaster } from "./postmaster.ts";
import type { ReceivedLog } from "./receivedLog.ts";
import { type ReceiveMailDeps, receiveMail } from "./receiveMail.ts";
import type { RecipientKind } from "./recipientKind.ts";
import { createReturnPaths } from "./returnPaths.ts";
import { MailTransaction, type TransactionDeps } from "./transaction.ts";
import { createWholeMails } from "./wholeMails.ts";

export interface MailReceiverDeps {
  readonly maskDomain: DomainName;
  /** The installation's own address, whose help the refusals of replies name. */
  readonly publicUrl: string;
  /** Address for the postmaster's mail; null uses the installation's own postmaster address. */
  readonly postmaster: string | null;
  /** Networks whose mail needs no sender authentication; "none" also checks private addresses like public ones. */
  readonly trustedNetworks: readonly string[];
  /** The address whose mail from this machine counts as proven to be theirs when they reply; null for nobody's. */
  readonly provenOnLoopback: EmailAddress | null;
  /** Whether unknown recipients that an address names are not limited, because it speaks for many senders. */
  readonly isUnlimited: (address: string) => boolean;
  /** What one sender may send to one account; not for `trustedNetworks`. */
  readonly senderLimits: RateLimits & Pick<CommitMailDeps, "dailyShare">;
  /** Counts what senders and guessers do. */
  readonly rates: Rates;
  readonly repliesPerDay: RepliesPerDay;
  /** Domains whose ARC seals are trusted. */
  readonly trustedSealers: readonly string[];
  /** Asks DNS for sender checks. */
  readonly askDns: AskDns;
  /** Null uses only the built-in spam filter. */
  readonly rspamdUrl: string | null;
  readonly database: Database;
  /** Commits the mails with other pending writes. */
  readonly group: GroupCommit;
  /** Delivers new mail from memory. */
  readonly fresh: FreshMails;
  /** Takes the content of new mail. */
  readonly bodies: BodyWriter;
  /** Where mail is kept for its owners. */
  readonly keptSpace: KeptSpace;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly tracing: Pick<Tracing, "arrival">;
  readonly findEncryption: FindEncryption;
  /** The thread that examines keys that come with mail of owners. */
  readonly keyPool: Pick<KeyPool, "run">;
  readonly receivedLog: ReceivedLog;
  readonly prepareLastMails: PrepareLastMails;
  readonly sentLog: SentLog;
  readonly prepareStep: PrepareStep;
  readonly countMails: CountMails;
  readonly classifyMail: ClassifyMail;
  readonly createThreads: (options: JudgeOptions) => MailThreads;
  /** Samples the senders of mail to masks without a spam filter with the check. */
  readonly createSampleSenders: (check: Judge) => SampleSenders;
  /** Changes of users' data by any process. */
  readonly changes$: Observable<ChangeEvent>;
  /** Keys of reverse addresses, threads and held mail. */
  readonly secrets: Pick<Secrets, "hashing" | "sealing">;
  readonly metrics: Pick<RelayMetrics, "countMail" | "countReply" | "countReport" | "countRspamd">;
  /** Called after each queued mail; `isWaiting` means that the delivery must read the queue. */
  readonly onQueued: (isWaiting: boolean) => void;
}

/** Receives the mail to the masks. */
export interface MailReceiver {
  readonly beginTransaction: BeginTransaction;
  /** Sends the mail of users who have logged in. */
  readonly outgoing: OutgoingMail;
  /** Stops the worker threads; call it when no transaction is open. */
  readonly stop: () => Promise<void>;
}

/** Decides about a mail before it is queued, and samples its sender afterwards. */
interface MailEvaluation {
  readonly replies: Replies;
  readonly judge: Judge;
  readonly decideDeps: DecideMailDeps;
  readonly senderLists: SenderLists;
  readonly mailingLists: MailingLists;
  readonly sampleSenders: SampleSenders;
  readonly reports: MailThreads["reports"];
  readonly stop: () => Promise<void>;
}

const createMailEvaluation = (deps: MailReceiverDeps): MailEvaluation => {
  const { maskDomain, trustedNetworks, trustedSealers, askDns, rspamdUrl } = deps;
  const { database, clock, random, secrets, classifyMail } = deps;
  const options = { host: maskDomain, trustedSealers, judgesPrivate: trustedNetworks.length === 0 };
  const threads = deps.createThreads(options);
  const judge = createJudge({
    options,
    pools: threads.judging,
    lookUp: createDnsCache(askDns, clock),
  });
  const replies = createReplies({ ...deps, pool: threads.replies });
  const hash = createKeyedHash(secrets.hashing);
  const seal = createSeal(secrets.sealing, random);
  const lists = createSenderLists(hash, seal);
  const mailingLists = createMailingLists(hash, seal);
  const rspamd = rspamdUrl === null ? null : createRspamd(rspamdUrl);
  const checkWithRspamd: CheckWithRspamd | null =
    rspamd &&
    (async (content, envelope) => {
      const verdict = await rspamd(content, envelope);
      deps.metrics.countRspamd(verdict ? "answered" : "failed");
      return verdict;
    });
  return {
    replies,
    judge,
    senderLists: lists,
    mailingLists,
    decideDeps: {
      evaluate: createEvaluateMail(threads.evaluation),
      judge,
      replies,
      isTrusted: createIsInNetworks(trustedNetworks),
      checkSpam: createSpamFilter(checkWithRspamd),
      maskDomain,
      random,
      confirmedAddressesOf: (userId) => listConfirmedAddresses(database.db, userId),
      historyOf: (maskId, month) => readMaskHistory(database.db, maskId, month),
      classifyMail,
      findContact: replies.findContact,
      findListed: (maskId, sender) => lists.find(database.db, maskId, sender),
      signedLinks: createSignedLinks(hash, deps.publicUrl),
      writeUnsubscribe: createWriteUnsubscribe(
        createUnsubscribeLinks(seal, deps.publicUrl),
        mailingLists,
        deps,
      ),
    },
    sampleSenders: deps.createSampleSenders(judge),
    reports: threads.reports,
    stop: threads.stop,
  };
};

/** Creates the receiver of mail with its routes, limits, rules, spam filter, encryption and commit. */
export const createMailReceiver = (deps: MailReceiverDeps): MailReceiver => {
  const { maskDomain, database, clock, log, findEncryption, onQueued } = deps;
  const { replies, judge, decideDeps, senderLists, mailingLists, sampleSenders, reports, stop } =
    createMailEvaluation(deps);
  const shownDescriptions = new ShownDescriptions();
  const countMails: CountMails = async (db, mails, now) => {
    await deps.countMails(db, mails, now);
    await replies.record(
      db,
      mails.flatMap(({ decided }) => decided.reverse),
    );
    for (const { decided } of mails) await recordTag(db, decided.route);
    await shownDescriptions.record(
      db,
      mails.map(({ decided }) => decided.route),
      now,
    );
    await mailingLists.record(
      db,
      mails.flatMap(({ decided }) => decided.list ?? []),
      now,
    );
  };
  const seal = createSeal(deps.secrets.sealing, deps.random);
  const receivedLog = alsoAnnounceRefused(deps.receivedLog, { ...deps, seal });
  const bounces = createBounces({
    database,
    clock,
    log,
    prepareStep: deps.prepareStep,
    notify: notifyBounce,
  });
  const masksByMail = createMasksByMail(deps);
  const sharesOf = (name: string, share: InstallationShare) =>
    createInstallationShares({ rates: deps.rates, isTrusted: decideDeps.isTrusted }, name, share);
  const postmaster = createPostmaster(deps.postmaster ?? postmasterAddress(maskDomain), {
    judge,
    shares: sharesOf("mail to the postmaster", postmasterShare),
  });
  const reservations = createReservations(
    (userId, month) => countReceivedInMonth(database.engine, userId, month),
    clock,
  );
  const receiverReports = createReceiverReports({
    ...deps,
    masksByMail,
    judge,
    pool: reports,
    shares: sharesOf("reports of receivers", reportShare),
  });
  const senderLimits = createSenderLimits({
    limits: deps.senderLimits,
    isTrusted: decideDeps.isTrusted,
    clock,
    rates: deps.rates,
  });
  const keptRoom = createKeptRoom({ database, space: deps.keptSpace, clock });
  const noticeNoRoom = createNoticeNoRoom({ database, clock, onNotified: () => onQueued(false) });
  const wholeMails = createWholeMails();
  const findMask = createFindMask(deps);
  const judgeReply = deps.provenOnLoopback === null ? judge : proveOnLoopback(judge, deps.provenOnLoopback);
  const countReply = (refusal: SmtpReply | null): SmtpReply | null => {
    deps.metrics.countReply(refusal ? "refused" : "sent");
    return refusal;
  };
  const masks = createMaskRecipients({
    findMask,
    noticeOffMail: createNoticeOffMail({ database, clock }),
    noticeNoRoom,
    keptRoom,
    receivedLog,
  });
  const returnPaths = createReturnPaths({ bounces, findMask, masks });
  const reportAddresses = createReportRecipients(receiverReports);
  const kinds: readonly RecipientKind[] = [
    createReplyRecipients({
      maskDomain,
      publicUrl: deps.publicUrl,
      findMask,
      makesMask: async ({ localPart, domain }) =>
        typeof (await masksByMail.routeTo(localPart, domain)) === "object",
      masks,
      replies,
      send: ({ content, envelope }, localParts, tagged) =>
        wholeMails.use(content, async (readAll) => {
          const { head, size } = content;
          const evidence = await judgeReply({ head, size, readAll }, envelope);
          const whole = await readAll();
          const result = await replies.receive({ content: whole, envelope, localParts, tagged, evidence });
          if (result.kind === "answered") countReply(result.reply);
          return result;
        }),
      countLateBounces: createCountLateBounces({
        database,
        hash: createKeyedHash(deps.secrets.hashing),
        clock,
        prepareStep: deps.prepareStep,
      }),
      judge,
    }),
    reportAddresses,
    createFeedbackRecipients({
      admit: sharesOf("reports of feedback loops", reportShare).admit,
      handle: createComplaints({ database, clock, log, onNotified: () => onQueued(false) }).handle,
      reports: reportAddresses,
      postmaster,
      returnPaths,
    }),
    returnPaths,
    masks,
    createNewMaskRecipients({ masksByMail, findMask, mayMakeMask: createNewMaskShare(deps.rates), masks }),
    postmaster,
  ];
  const receiveDeps: ReceiveMailDeps = {
    maskDomain,
    kinds,
    makeMask: masksByMail.make,
    findMask,
    clock,
    tracing: deps.tracing,
    decideDeps,
    findEncryption,
    sampleSenders,
    commit: createCommitMail({
      ...deps,
      countMails,
      dailyShare: deps.senderLimits.dailyShare,
      keptRoom,
      takeExpiring: createTakeExpiringMails(senderLists),
      holdMails: createHoldNewMails(seal),
      seal,
    }),
    reservations,
    senderLimits,
    keptRoom,
    noticeNoRoom,
    postmaster,
    wholeMails,
    receivedLog,
    prepareLastMails: deps.prepareLastMails,
    onReceived: (mail) => {
      if (log.isLevelEnabled("info")) logMail(log, mail);
      if (mail.result === null) return;
      for (const outcome of mail.result.outcomes) deps.metrics.countMail(outcome);
      if (mail.result.kind === "queued") onQueued(mail.result.isWaiting);
    },
  };
  const transactionDeps: TransactionDeps = {
    maskDomain,
    kinds,
    postmaster,
    reservations,
    senderLimits,
    unknownRecipients: createUnknownRecipients(deps),
    clock,
    receivedLog,
    receive: (mail, transaction) => receiveMail(receiveDeps, mail, transaction),
  };
  return {
    outgoing: {
      findOwn: replies.findOwn,
      findTagged: replies.findTagged,
      sendAgain: replies.sendAgain,
      submit: (userId, content, recipients) =>
        wholeMails.use(content, async (readAll) =>
          countReply(await replies.submit({ userId, content: await readAll(), recipients })),
        ),
    },
    beginTransaction: (parameters) => new MailTransaction(transactionDeps, parameters),
    stop,
  };
};
