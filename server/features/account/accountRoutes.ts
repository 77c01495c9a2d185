import type { FastifyInstance } from "fastify";
import { type Account, getAccount } from "../../../core/session/user.ts";
import { limitsOf, parseTier, type RepliesPerDay } from "../../../core/tiers/tier.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { monthOf, readAccountUsage, readRepliesOfMonth } from "../../delivery/usageQueries.ts";
import { invalidSession } from "../../platform/errors/useCaseError.ts";
import { routeSignedIn } from "../../platform/http/route.ts";
import type { Db } from "../../platform/store/database.ts";
import { findUser } from "../../platform/store/users.ts";
import { findConsent } from "../contentAccess/consentQueries.ts";
import { readRepliesOfDay } from "../correspondents/replyCounts.ts";
import { findDefaultAddress } from "../destinations/destinationQueries.ts";
import { countHeldMails } from "../held/heldQueries.ts";
import { readLabelColors } from "../labels/maskLabels.ts";
import { chosenListSettings } from "../masks/list/listSettings.ts";
import { chosenFormat } from "../masks/maskAddress.ts";
import { countActiveMasks } from "../masks/maskQueries.ts";
import { toUser } from "../session/user.ts";

/** Returns a user with the usage of this month and day (UTC) and the plan's limits; undefined when there is no such user. */
export const readAccount = async (
  db: Db,
  userId: string,
  { now, repliesPerDay }: { readonly now: number; readonly repliesPerDay: RepliesPerDay },
): Promise<Account | undefined> => {
  const user = await findUser(db, userId);
  if (!user) return undefined;
  const mail = await readAccountUsage(db, userId, monthOf(now));
  const active = await countActiveMasks(db, userId);
  const replied = await readRepliesOfMonth(db, userId, monthOf(now));
  const consent = (await findConsent(db, userId))?.consent ?? null;
  const held = await countHeldMails(db, userId);
  const labelColors = await readLabelColors(db, userId);
  const forwardTo = await findDefaultAddress(db, userId);
  const tier = parseTier(user.tier);
  const limits = limitsOf[tier];
  return {
    ...toUser(user),
    ...(user.is_operator === 1 ? { isOperator: true } : {}),
    settings: {
      contentAccessEnabled: consent !== null,
      contentAccessAcknowledged: consent !== null,
      senderShown: user.sender_shown,
      actionLinks: user.action_links,
      unsubscribe: user.unsubscribe,
      calendarsThroughMask: user.calendars_through_mask === 1,
      maskTags: user.mask_tags === 1,
      ...(forwardTo !== undefined && { forwardTo }),
      heldNotices: user.held_notices === 1,
      keepLastMails: user.keep_last_mails === 1,
      showCodes: user.show_codes === 1,
      ...chosenFormat(user),
      ...chosenListSettings(user),
      ...(Object.keys(labelColors).length > 0 && { labelColors }),
    },
    usage: {
      masks: { active, total: user.mask_count },
      emails: {
        thisMonth: mail.received,
        forwarded: mail.forwarded,
        blocked: mail.blocked,
        ...(replied === 0 ? {} : { replied }),
        repliedToday: await readRepliesOfDay(db, userId, now),
      },
      ...(held === 0 ? {} : { held }),
    },
    limits: {
      maxMasks: limits.masks,
      emailsPerMonth: limits.emailsPerMonth,
      storageLimit: limits.storage,
      historyRetention: limits.history,
      repliesPerDay: repliesPerDay[tier],
    },
  };
};

export interface AccountRouteDeps extends Pick<FeatureContext, "database" | "clock" | "authGuard"> {
  readonly repliesPerDay: RepliesPerDay;
}

export const accountRoutes =
  ({ database, clock, repliesPerDay, authGuard }: AccountRouteDeps) =>
  (fastify: FastifyInstance): void =>
    routeSignedIn(fastify, authGuard, getAccount, async ({ auth }) => {
      const account = await readAccount(database.db, auth.userId, { now: clock.now(), repliesPerDay });
      if (!account) throw invalidSession();
      return account;
    });
