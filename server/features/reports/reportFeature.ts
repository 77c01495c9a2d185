import { minuteMs } from "../../../core/kernel/durations.ts";
import type { CreateFeature, FeatureContext } from "../../context/feature.ts";
import { createBounces, type NotifyBounce } from "../../delivery/bounces.ts";
import { isReportAddress } from "../../delivery/serviceAddresses.ts";
import { smtpCodes } from "../../delivery/smtpAnswer.ts";
import { createIntervalTask } from "../../platform/ops/interval.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import type { Db } from "../../platform/store/database.ts";
import type { WorkerPool } from "../../platform/workers/workerPool.ts";
import { reportsBusy } from "../../relay/decision/refusals.ts";
import { createInstallationShares } from "../../relay/limits/installationShares.ts";
import { admitToInstallation, ofInstallation } from "../../relay/receive/installationRecipient.ts";
import { nothingRead, type RecipientKind } from "../../relay/receive/recipientKind.ts";
import { refused } from "../../smtp/smtpReplies.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { pruneComplaints } from "./complaints/complaintQueries.ts";
import { createComplaints } from "./complaints/complaints.ts";
import { createFeedbackRecipients } from "./feedbackRecipients.ts";
import { type ReadReport, reportThreads } from "./received/readReport.ts";
import { pruneReports } from "./received/reportQueries.ts";
import {
  createReceiverReports,
  maxReportMailBytes,
  type ReceiverReportsReceiver,
  reportShare,
  tooLargeForReports,
} from "./receiveReport.ts";
import { createReturnPaths } from "./returnPaths.ts";
import { createSendTlsReports, pruneTlsReportCounts } from "./sent/sendTlsReports.ts";

type OwnedMail = Parameters<NotifyBounce>[1];

const maskName = async (db: Db, { userId, maskId }: OwnedMail): Promise<string> => {
  if (userId === null || maskId === null) return "a mask";
  const mask = await db
    .selectFrom("masks")
    .where("id", "=", maskId)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .select("email")
    .executeTakeFirst();
  return mask?.email ?? "a deleted mask";
};

/**
 * Notifies the owner of a mask that a server beyond the next hop could not deliver a mail. System mail has no owner
 * and is skipped.
 */
const notifyBounce: NotifyBounce = async (db, mail, answer, now) => {
  if (mail.userId === null) return;
  const codes = smtpCodes(answer);
  const suffix = codes === "" ? "" : ` (${codes})`;
  const message = `An email to ${await maskName(db, mail)} could not be forwarded: the server of your address refused it${suffix}.`;
  await addNotification(db, { userId: mail.userId, type: "error", priority: "high", message }, now);
};

/** Creates the kind of the addresses for reports of receivers about our mail and our TLS. */
const createReportRecipients = ({ admit, receive }: ReceiverReportsReceiver): RecipientKind => {
  const limits = { maxBytes: maxReportMailBytes, tooLarge: tooLargeForReports, admit, busy: reportsBusy };
  const kind: RecipientKind = {
    find: ({ isOwnDomain, localPart }) => (isOwnDomain && isReportAddress(localPart) ? ofInstallation : null),
    admit: (_found, transaction) => admitToInstallation(kind, transaction, limits),
    read: (mail, transaction) => {
      if (transaction.acceptedBy(kind).size === 0) return nothingRead;
      const read = async () => {
        const unread = await receive(mail, mail.readAll);
        // Where others get the mail too, they get it whatever the report is.
        return unread && !transaction.hasCopies ? refused(unread) : nothingRead;
      };
      return read();
    },
  };
  return kind;
};

const tlsReportsEachMs = 10 * minuteMs;

const createRecipients = (
  context: FeatureContext,
  threads: WorkerPool<Uint8Array, ReadReport>,
): readonly RecipientKind[] => {
  const { relay, database, clock, log, masks, masksByMail, config } = context;
  const reports = createReportRecipients(
    createReceiverReports({
      ...relay,
      maskDomain: config.maskDomain,
      masksByMail,
      pool: threads,
      shares: createInstallationShares(relay, "reports of receivers", reportShare),
    }),
  );
  const returnPaths = createReturnPaths({
    bounces: createBounces({ ...relay, notify: notifyBounce }),
    findMask: masks.findMask,
    masks: masks.recipients,
  });
  const feedback = createFeedbackRecipients({
    admit: createInstallationShares(relay, "reports of feedback loops", reportShare).admit,
    handle: createComplaints({ database, clock, log, onNotified: () => relay.onQueued(false) }).handle,
    reports,
    postmaster: relay.postmaster,
    returnPaths,
  });
  return [reports, feedback, returnPaths];
};

/**
 * What other servers report: of mail and TLS, which the operator's page shows, and what users call spam at their mail
 * providers. This server reports TLS to others where the operator has switched that on.
 */
export const reportsFeature: CreateFeature = (context) => {
  const { config, clock, log, delivery, relay } = context;
  const threads = relay.openThreads<Uint8Array, ReadReport>(reportThreads);
  const send = createSendTlsReports({ ...context, maskDomain: config.maskDomain, onQueued: delivery.wake });
  const job = createIntervalTask(send, {
    everyMs: tlsReportsEachMs,
    failureMessage: "sending reports of TLS failed",
    clock,
    log,
  });
  return {
    mail: { recipients: createRecipients(context, threads) },
    jobs: [
      toPart("threads of reports", () => threads.stop),
      ...(config.sendsTlsReports ? [toPart("TLS reports", job.start)] : []),
    ],
    prune: { pruneReceiverReports: pruneReports, pruneComplaints, pruneTlsReportCounts },
  };
};
