import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Decision } from "../../core/rules/engine/decision.ts";
import { createBounces } from "../delivery/bounces.ts";
import { listConfirmedAddresses } from "../delivery/destinationQueries.ts";
import { countReceivedInMonth } from "../delivery/usageQueries.ts";
import { type ClassifyMail, withoutClassification } from "../insights/classification.ts";
import { createCommitMail } from "../mail/commitMail.ts";
import type { CountMails } from "../mail/deliveryPlan.ts";
import { type EncryptMail, withoutEncryption } from "../mail/encryptCopies.ts";
import { createEvaluateMail, type EvaluationTask, evaluationThreads } from "../mail/evaluate.ts";
import { logMail, type MailLogEntry } from "../mail/mailLog.ts";
import type { DeliveryPlanDeps } from "../mail/planDelivery.ts";
import { createRspamd } from "../mail/rspamd.ts";
import {
  type CheckSender,
  createSampleSenders,
  type RecordVerdict,
  type SampleSenders,
} from "../mail/sampleSenders.ts";
import { createSpamFilter, type SpamCheckTask, spamThreads } from "../mail/spamFilter.ts";
import type { Evidence } from "../mail/spamScore.ts";
import { findMailRoute } from "../masks/mailRoute.ts";
import { readMaskHistory } from "../masks/maskStatistics.ts";
import type { Log } from "../ops/log.ts";
import type { Database } from "../store/database.ts";
import { createWorkerPool } from "../workers/workerPool.ts";
import { dataTimeoutMs, spoolBytes, spoolBytesPerNetwork } from "./limits.ts";
import { createPostmaster, postmasterAddress } from "./postmaster.ts";
import { receiveMail } from "./receiveMail.ts";
import { type Certificate, RelayServer, relayOptions } from "./relayServer.ts";
import { createReservations } from "./reservations.ts";
import { createSmtpSessions } from "./smtpSessions.ts";
import { createSpool } from "./spool.ts";
import { beginTransaction } from "./transaction.ts";

export interface MailEvaluationDeps {
  readonly settings: {
    readonly maskDomain: string;
    readonly dnsServer?: string | null;
    readonly rspamdUrl?: string | null;
  };
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly classifyMail?: ClassifyMail;
  readonly noteVerdict?: RecordVerdict;
}

/** The services that evaluate a mail before and after it is queued. */
export interface MailEvaluation {
  readonly planDeps: DeliveryPlanDeps;
  readonly sampleSenders: SampleSenders;
  /** Stops their worker threads. */
  readonly stop: () => Promise<void>;
}

/** Creates rules, spam filter and classifier, with worker threads for slow work. */
const createMailEvaluation = (deps: MailEvaluationDeps): MailEvaluation => {
  const { settings, database, clock, random, noteVerdict: record } = deps;
  const { maskDomain: host, dnsServer = null, rspamdUrl = null } = settings;
  const pool = createWorkerPool<EvaluationTask, readonly Decision[]>(evaluationThreads);
  const spamPool = createWorkerPool<SpamCheckTask, Evidence>(spamThreads);
  const rspamd = rspamdUrl === null ? null : createRspamd(rspamdUrl);
  const check: CheckSender = (content, envelope, owner) =>
    spamPool.run({ content, envelope, host, dnsServer }, owner);
  return {
    planDeps: {
      evaluate: createEvaluateMail(pool),
      checkSpam: createSpamFilter({ pool: spamPool, host, dnsServer, rspamd }),
      maskDomain: host,
      random,
      confirmedAddressesOf: (userId) => listConfirmedAddresses(database.db, userId),
      historyOf: (maskId, month) => readMaskHistory(database.db, maskId, month),
      classifyMail: deps.classifyMail ?? withoutClassification,
    },
    sampleSenders: record ? createSampleSenders({ check, record, clock }) : () => {},
    stop: async () => {
      await pool.stop();
      await spamPool.stop();
    },
  };
};

/** The listener for mail to the masks. */
export interface SmtpListener {
  /** Starts to listen; rejects when the port is not available. */
  readonly start: () => Promise<{ readonly port: number }>;
  /** Refuses new connections, finishes the mails being received, and resolves within 4 s. */
  readonly stop: () => Promise<void>;
  readonly ready: () => boolean;
  /** Number of commits so far. */
  readonly commits: () => number;
}

export interface SmtpListenerDeps {
  readonly settings: {
    readonly host: string;
    readonly smtpPort: number;
    readonly maskDomain: string;
    /** Address for the postmaster's mail; defaults to the installation's own postmaster address. */
    readonly postmaster?: string | null;
    /** Without a certificate STARTTLS is not offered. */
    readonly certificate?: Certificate | null;
    /** DNS server for sender checks; defaults to the system's resolver. */
    readonly dnsServer?: string | null;
    /** Without it only the built-in spam filter is used. */
    readonly rspamdUrl?: string | null;
  };
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Encrypts each mail before it is queued; defaults to no encryption. */
  readonly encryptMail?: EncryptMail;
  /** Updates the insights in the transaction of each mail. */
  readonly countMails?: CountMails;
  /** Classifies mail; defaults to no classification. */
  readonly classifyMail?: ClassifyMail;
  /** Records sender checks of mail to masks without a spam filter; absent: no mail is sampled. */
  readonly noteVerdict?: RecordVerdict;
  /** Called after each queued mail, to wake the delivery and the event feed. */
  readonly onQueued: () => void;
}

export const createSmtpListener = (deps: SmtpListenerDeps): SmtpListener => {
  const { settings, database, clock, random, log } = deps;
  const spool = createSpool(
    { capacity: spoolBytes, bytesPerNetwork: spoolBytesPerNetwork, timeoutMs: dataTimeoutMs },
    clock,
  );
  const commit = createCommitMail(database, clock, random, log, deps.countMails);
  const reservations = createReservations(
    (userId, month) => countReceivedInMonth(database.db, userId, month),
    clock,
  );
  const postmaster = createPostmaster(settings.postmaster ?? postmasterAddress(settings.maskDomain), clock);
  const bounces = createBounces(database, clock);
  const findRouteOf = (address: string) => findMailRoute(database.db, address);
  const evaluation = createMailEvaluation(deps);
  const { planDeps, sampleSenders } = evaluation;
  const onEvaluated = (mail: MailLogEntry): void => {
    logMail(log, mail);
    if (mail.result.kind === "queued") deps.onQueued();
  };
  let listening = false;

  const { maskDomain } = settings;
  const transactionDeps = { maskDomain, findRouteOf, reservations, postmaster, bounces, clock };
  const encryptMail = deps.encryptMail ?? withoutEncryption;
  const receiveDeps = {
    ...{ maskDomain, clock, spool, commit, reservations, bounces },
    ...{ planDeps, encryptMail, sampleSenders, onEvaluated },
  };
  const sessions = createSmtpSessions({
    clock,
    random,
    log,
    beginTransaction: (parameters) => beginTransaction(transactionDeps, parameters),
    receive: (content, envelope, transaction) => receiveMail(receiveDeps, content, envelope, transaction),
  });

  const server = new RelayServer(
    { ...relayOptions(maskDomain, settings.certificate ?? null), ...sessions.handlers },
    sessions.endTransaction,
  );
  // Broken connections are the client's problem and are logged at debug level only.
  server.on("error", (error: NodeJS.ErrnoException) =>
    log.debug({ code: error.code }, "an SMTP connection failed"),
  );

  const listen = (): Promise<{ readonly port: number }> =>
    new Promise((resolve, reject) => {
      server.server.once("error", reject);
      server.listen(settings.smtpPort, settings.host, () => {
        server.server.off("error", reject);
        const address = server.server.address();
        listening = true;
        resolve({ port: typeof address === "object" && address ? address.port : settings.smtpPort });
      });
    });

  return {
    start: listen,
    stop: async () => {
      listening = false;
      const closed = new Promise<void>((resolve) => server.close(resolve));
      server.closeIdle();
      await closed;
      await commit.whenIdle();
      await evaluation.stop();
    },
    ready: () => listening,
    commits: commit.commits,
  };
};
