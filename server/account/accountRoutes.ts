import type { FastifyInstance } from "fastify";
import type { Clock } from "../../core/ports/clock.ts";
import { type Account, getAccount } from "../../core/session/user.ts";
import { limitsOf, parseTier } from "../../core/tiers/tier.ts";
import { findConsent } from "../contentAccess/consentQueries.ts";
import { monthOf, readAccountUsage, readRepliesOfMonth } from "../delivery/usageQueries.ts";
import { invalidSession } from "../http/httpError.ts";
import { type AuthGuard, routeSignedIn } from "../http/route.ts";
import { countActiveMasks } from "../masks/maskQueries.ts";
import { toUser } from "../session/user.ts";
import type { Database, Db } from "../store/database.ts";
import { findUser } from "../store/users.ts";

/** Returns a user with this month's usage (UTC) and the plan's limits; undefined when there is no such user. */
export const readAccount = async (db: Db, userId: string, now: number): Promise<Account | undefined> => {
  const user = await findUser(db, userId);
  if (!user) return undefined;
  const [mail, active] = [
    await readAccountUsage(db, userId, monthOf(now)),
    await countActiveMasks(db, userId),
  ];
  const replied = await readRepliesOfMonth(db, userId, monthOf(now));
  const consent = (await findConsent(db, userId))?.consent ?? null;
  const limits = limitsOf[parseTier(user.tier)];
  return {
    ...toUser(user),
    ...(user.is_operator === 1 ? { isOperator: true } : {}),
    settings: { contentAccessEnabled: consent !== null, contentAccessAcknowledged: consent !== null },
    usage: {
      masks: { active, total: user.mask_count },
      emails: {
        thisMonth: mail.received,
        forwarded: mail.forwarded,
        blocked: mail.blocked,
        ...(replied === 0 ? {} : { replied }),
      },
    },
    limits: {
      maxMasks: limits.masks,
      emailsPerMonth: limits.emailsPerMonth,
      storageLimit: limits.storage,
      historyRetention: limits.history,
    },
  };
};

export interface AccountRouteDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly authGuard: AuthGuard;
}

export const accountRoutes =
  ({ database, clock, authGuard }: AccountRouteDeps) =>
  (fastify: FastifyInstance): void =>
    routeSignedIn(fastify, authGuard, getAccount, async ({ auth }) => {
      const account = await readAccount(database.db, auth.userId, clock.now());
      if (!account) throw invalidSession();
      return account;
    });
