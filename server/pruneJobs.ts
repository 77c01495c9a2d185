import { notificationHistory } from "../core/notifications/notification.ts";
import { pruneAddressChanges } from "./account/addressChangeQueries.ts";
import { pruneArchive } from "./archive/archiveQueries.ts";
import { pruneBilling } from "./billing/customerQueries.ts";
import { pruneTlsPolicies } from "./delivery/direct/tlsPolicies.ts";
import { pruneHeldMails } from "./held/pruneHeldMails.ts";
import { pruneReports } from "./held/reportQueries.ts";
import { pruneResponses } from "./http/idempotencyQueries.ts";
import { pruneLastMails } from "./lastMails/lastMailQueries.ts";
import { pruneAutomaticAnswers } from "./mail/automaticAnswerQueries.ts";
import { pruneSenderDays } from "./mail/dailyShare.ts";
import { pruneLog } from "./mailLog/pruneLog.ts";
import { expireMasks } from "./masks/expireMask.ts";
import { pruneDeletedMasks } from "./masks/userTrash.ts";
import { pruneNotifications } from "./notifications/notificationQueries.ts";
import { notificationRetentionMs } from "./notifications/userNotifications.ts";
import type { Prune } from "./ops/housekeeping.ts";
import { pruneDailyReplies } from "./replies/replyCounts.ts";
import { pruneReverseAddresses } from "./replies/reverseAddresses.ts";
import { pruneSentMessageIds } from "./replies/sentMessageIds.ts";
import { pruneCodeCounts } from "./session/codeCountQueries.ts";
import { pruneInvitations } from "./session/invitationQueries.ts";
import { pruneSessions } from "./session/sessionQueries.ts";
import { pruneLoginCodes, pruneSignUpTickets } from "./session/signInQueries.ts";
import { pruneFactorTickets, pruneTwoFactorOffers } from "./session/twoFactorQueries.ts";

/** The features' jobs that end what has expired and delete its data. */
export const pruneJobs: readonly Prune[] = [
  pruneLoginCodes,
  pruneCodeCounts,
  pruneAddressChanges,
  pruneSignUpTickets,
  pruneInvitations,
  pruneFactorTickets,
  pruneTwoFactorOffers,
  pruneSessions,
  pruneResponses,
  (db, now) => pruneNotifications(db, { before: now - notificationRetentionMs, kept: notificationHistory }),
  pruneAutomaticAnswers,
  pruneArchive,
  pruneLog,
  pruneLastMails,
  pruneDailyReplies,
  pruneReverseAddresses,
  pruneSentMessageIds,
  pruneSenderDays,
  pruneBilling,
  expireMasks,
  pruneDeletedMasks,
  pruneHeldMails,
  pruneReports,
  pruneTlsPolicies,
];
