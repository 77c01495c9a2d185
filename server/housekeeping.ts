import { minuteMs } from "../core/kernel/durations.ts";
import { notificationHistory } from "../core/notifications/notification.ts";
import type { Clock } from "../core/ports/clock.ts";
import { pruneAddressChanges } from "./account/addressChangeQueries.ts";
import { pruneArchive } from "./archive/archiveQueries.ts";
import { unpaidCustomerLifetimeMs } from "./billing/checkout.ts";
import { pruneBillingEvents, pruneCustomers } from "./billing/customerQueries.ts";
import { eventLifetimeMs } from "./billing/syncPaidPlan.ts";
import { answerLifetimeMs } from "./http/idempotency.ts";
import { pruneResponses } from "./http/idempotencyQueries.ts";
import { pruneAutomaticAnswers } from "./mail/automaticAnswerQueries.ts";
import { pruneNotifications } from "./notifications/notificationQueries.ts";
import { notificationRetentionMs } from "./notifications/userNotifications.ts";
import { createIntervalTask, type IntervalTask } from "./ops/interval.ts";
import type { Log } from "./ops/log.ts";
import { codeMailsWithinMs } from "./session/lifetimes.ts";
import { pruneSessions } from "./session/sessionQueries.ts";
import { pruneLoginCodes, pruneSignUpTickets } from "./session/signInQueries.ts";
import { pruneFactorTickets, pruneTwoFactorOffers } from "./session/twoFactorQueries.ts";
import { setupLifetimeMs } from "./session/userTwoFactor.ts";
import type { Database } from "./store/database.ts";

const everyMs = 10 * minuteMs;

/**
 * Deletes expired codes, tickets, sessions, answers, notifications, and archived mails. Rows of codes are
 * kept longer than the codes, because they count the sent mails.
 */
export const prune = async ({ db, engine }: Database, now: number): Promise<void> => {
  await pruneLoginCodes(db, now - codeMailsWithinMs);
  await pruneAddressChanges(db, now - codeMailsWithinMs);
  await pruneSignUpTickets(db, now);
  await pruneFactorTickets(db, now);
  await pruneTwoFactorOffers(db, now - setupLifetimeMs);
  await pruneSessions(db, now);
  await pruneResponses(db, now - answerLifetimeMs);
  await pruneNotifications(db, { before: now - notificationRetentionMs, kept: notificationHistory });
  await pruneAutomaticAnswers(db, now);
  await pruneArchive(db, now);
  await pruneCustomers(db, now - unpaidCustomerLifetimeMs);
  await pruneBillingEvents(db, now - eventLifetimeMs);
  await engine.purgeDeleted();
};

/** Creates the task that deletes expired data at the start and every 10 minutes. */
export const createHousekeeping = (database: Database, clock: Clock, log: Log): IntervalTask =>
  createIntervalTask(() => prune(database, clock.now()), {
    everyMs,
    failureMessage: "housekeeping failed",
    clock,
    log,
  });
