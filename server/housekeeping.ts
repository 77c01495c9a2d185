import { minuteMs } from "../core/kernel/durations.ts";
import { notificationHistory } from "../core/notifications/notification.ts";
import type { Clock } from "../core/ports/clock.ts";
import { providerEventsForMs } from "./billing/settle.ts";
import { signUpPaymentForMs } from "./billing/signUpPayment.ts";
import { answersForMs } from "./http/once.ts";
import { codeMailsWithinMs } from "./identity/lifetimes.ts";
import type { Log } from "./log.ts";
import { notificationsForMs } from "./notifications/userNotifications.ts";
import { makeRounds, type Rounds } from "./rounds.ts";
import { pruneAddressChanges } from "./store/addressChanges.ts";
import { pruneArchive } from "./store/archive.ts";
import { pruneAutomaticAnswers } from "./store/automaticAnswers.ts";
import { pruneCustomers } from "./store/billingCustomers.ts";
import { pruneEvents } from "./store/billingEvents.ts";
import type { Database } from "./store/database.ts";
import { pruneAnswers } from "./store/idempotentAnswers.ts";
import { pruneCodes } from "./store/loginCodes.ts";
import { pruneNotifications } from "./store/notifications.ts";
import { pruneFactorTickets } from "./store/secondFactorTickets.ts";
import { pruneSessions } from "./store/sessions.ts";
import { pruneTickets } from "./store/signUpTickets.ts";
import { pruneOffers } from "./store/twoFactors.ts";
import { setupForMs } from "./twoFactor/userTwoFactor.ts";

const everyMs = 10 * minuteMs;

/** Forgets codes, tickets, sessions, answers, notifications and archived mails that are of no more use. A code's row counts its mails, so it outlives the code. */
export const prune = async ({ db, engine }: Database, now: number): Promise<void> => {
  await pruneCodes(db, now - codeMailsWithinMs);
  await pruneAddressChanges(db, now - codeMailsWithinMs);
  await pruneTickets(db, now);
  await pruneFactorTickets(db, now);
  await pruneOffers(db, now - setupForMs);
  await pruneSessions(db, now);
  await pruneAnswers(db, now - answersForMs);
  await pruneNotifications(db, { before: now - notificationsForMs, kept: notificationHistory });
  await pruneAutomaticAnswers(db, now);
  await pruneArchive(db, now);
  await pruneCustomers(db, now - signUpPaymentForMs);
  await pruneEvents(db, now - providerEventsForMs);
  await engine.forget();
};

/** Makes what tidies up at the start and every ten minutes. */
export const makeHousekeeping = (database: Database, clock: Clock, log: Log): Rounds =>
  makeRounds(() => prune(database, clock.now()), { everyMs, failed: "housekeeping failed", clock, log });
