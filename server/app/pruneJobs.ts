import { notificationHistory } from "../../core/notifications/notification.ts";
import { pruneTlsPolicies } from "../delivery/direct/tlsPolicies.ts";
import { pruneAddressChanges } from "../features/account/addressChangeQueries.ts";
import { pruneArchive } from "../features/archive/archiveQueries.ts";
import { pruneBilling } from "../features/billing/customerQueries.ts";
import { pruneCodeCounts } from "../features/codes/codeCountQueries.ts";
import { pruneLoginCodes, pruneSignUpTickets } from "../features/codes/signInQueries.ts";
import { pruneDailyReplies } from "../features/correspondents/replyCounts.ts";
import { pruneReverseAddresses } from "../features/correspondents/reverseAddresses.ts";
import { pruneHeldMails } from "../features/held/pruneHeldMails.ts";
import { pruneReports } from "../features/held/reportQueries.ts";
import { pruneLastMails } from "../features/lastMails/lastMailQueries.ts";
import { pruneLog } from "../features/mailLog/pruneLog.ts";
import { expireMasks } from "../features/masks/expireMask.ts";
import { pruneNotifications } from "../features/notifications/notificationQueries.ts";
import { notificationRetentionMs } from "../features/notifications/userNotifications.ts";
import { pruneSessions } from "../features/session/sessionQueries.ts";
import { pruneInvitations } from "../features/session/signIn/invitationQueries.ts";
import { pruneFactorTickets, pruneTwoFactorOffers } from "../features/session/twoFactor/twoFactorQueries.ts";
import { pruneDeletedMasks } from "../features/trash/userTrash.ts";
import { pruneResponses } from "../platform/http/idempotencyQueries.ts";
import type { Prune } from "../platform/ops/housekeeping.ts";
import { pruneSenderDays } from "../relay/limits/dailyShare.ts";
import { pruneAutomaticAnswers } from "../relay/plan/automaticAnswerQueries.ts";
import { pruneSentMessageIds } from "../relay/replies/sentMessageIds.ts";

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
