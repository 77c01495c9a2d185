import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { CategoryOf } from "../classification/categoryOf.ts";
import { makeReports } from "../delivery/reports.ts";
import type { NoteVerdict } from "../insights/sampleSenders.ts";
import type { Log } from "../log.ts";
import type { CountMails } from "../relay/countMails.ts";
import { type EncryptMail, inTheClear } from "../relay/encryptCopies.ts";
import type { Database } from "../store/database.ts";
import { findRoute } from "../store/routes.ts";
import { receivedIn } from "../store/usage.ts";
import { makeAcceptance } from "./acceptance.ts";
import { takeMail } from "./intake.ts";
import { makeJudges } from "./judges.ts";
import { dataTimeoutMs, spoolCapacity, spoolShare } from "./limits.ts";
import { type Concluded, logPassages } from "./passageLog.ts";
import { makePostmaster, postmasterOf } from "./postmaster.ts";
import { type Certificate, RelayServer, relayOptions } from "./relayServer.ts";
import { makeReservations } from "./reservations.ts";
import { makeSessions } from "./sessions.ts";
import { makeSpool } from "./spool.ts";
import { beginTransaction } from "./transaction.ts";

/** Where mail for the masks comes in. */
export interface SmtpListener {
  /** Begins to listen; rejects when the port cannot be had. */
  readonly start: () => Promise<{ readonly port: number }>;
  /** Takes no more connections, lets mails under way be answered, and resolves within 4 s. */
  readonly stop: () => Promise<void>;
  readonly ready: () => boolean;
  /** How many commits the accepted mails have cost. */
  readonly commits: () => number;
}

export interface SmtpParts {
  readonly settings: {
    readonly host: string;
    readonly smtpPort: number;
    readonly maskDomain: string;
    /** Who gets mail for the postmaster; absent: the installation's own address of that name. */
    readonly postmaster?: string | null;
    /** Absent: STARTTLS is not offered. */
    readonly certificate?: Certificate | null;
    /** Who is asked where a sender's mail comes from; absent: the system's resolver. */
    readonly dnsServer?: string | null;
    /** Absent: spam is judged here alone. */
    readonly rspamdUrl?: string | null;
  };
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What is done to each mail before it is queued for its owner; absent: it goes on as it is. */
  readonly encryptMail?: EncryptMail;
  /** Adds to figures in the transaction of each mail. */
  readonly countMails?: CountMails;
  /** What mail is for, where its owner wants to know; absent: nobody is told. */
  readonly categoryOf?: CategoryOf;
  /** Notes who mail is from that goes to masks without a spam filter; absent: nobody looks. */
  readonly noteVerdict?: NoteVerdict;
  /** Told after each mail that was queued: wake the delivery, nudge the event feed. */
  readonly queued: () => void;
}

export const makeSmtpListener = (parts: SmtpParts): SmtpListener => {
  const { settings, database, clock, random, log } = parts;
  const spool = makeSpool({ capacity: spoolCapacity, share: spoolShare, timeoutMs: dataTimeoutMs }, clock);
  const acceptance = makeAcceptance(database, clock, random, log, parts.countMails);
  const reservations = makeReservations((userId, month) => receivedIn(database.db, userId, month), clock);
  const postmaster = makePostmaster(settings.postmaster ?? postmasterOf(settings.maskDomain), clock);
  const reports = makeReports(database, clock);
  const routeOf = (address: string) => findRoute(database.db, address);
  const judges = makeJudges(parts);
  const { passing, sampled } = judges;
  const concluded = (mail: Concluded): void => {
    logPassages(log, mail);
    if (mail.acceptance.kind === "queued") parts.queued();
  };
  let listening = false;

  const { maskDomain } = settings;
  const means = { maskDomain, routeOf, reservations, postmaster, reports, clock };
  const encryptMail = parts.encryptMail ?? inTheClear;
  const intake = {
    ...{ maskDomain, clock, spool, acceptance, reservations, reports },
    ...{ passing, encryptMail, sampled, concluded },
  };
  const sessions = makeSessions({
    clock,
    random,
    log,
    begin: (said) => beginTransaction(means, said),
    take: (content, envelope, transaction) => takeMail(intake, content, envelope, transaction),
  });

  const server = new RelayServer(
    { ...relayOptions(maskDomain, settings.certificate ?? null), ...sessions.handlers },
    sessions.endTransaction,
  );
  // A client that goes away in the middle is not our trouble, and has no better place to be told.
  server.on("error", (error: NodeJS.ErrnoException) =>
    log.debug({ code: error.code }, "an SMTP connection broke"),
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
      await acceptance.idle();
      await judges.stop();
    },
    ready: () => listening,
    commits: acceptance.commits,
  };
};
