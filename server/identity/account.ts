import type { Account } from "../../core/account/accountDetails.ts";
import { limitsOf, tierNamed } from "../../core/tiers/tier.ts";
import { accountUsage } from "../store/accountUsage.ts";
import { findConsent } from "../store/contentAccess.ts";
import type { Db } from "../store/database.ts";
import { countActive } from "../store/masks.ts";
import { monthOf } from "../store/usage.ts";
import { userById } from "../store/users.ts";
import { userOf } from "./user.ts";

/** Who a user is, what they have used this month (UTC) and what their plan lets them use; undefined when there is no such user. */
export const readAccount = async (db: Db, userId: string, now: number): Promise<Account | undefined> => {
  const user = await userById(db, userId);
  if (!user) return undefined;
  const [mail, active] = [await accountUsage(db, userId, monthOf(now)), await countActive(db, userId)];
  const consent = (await findConsent(db, userId))?.consent ?? null;
  const limits = limitsOf[tierNamed(user.tier)];
  return {
    ...userOf(user),
    settings: { contentAccessEnabled: consent !== null, contentAccessAcknowledged: consent !== null },
    usage: {
      masks: { active, total: user.mask_count },
      emails: { thisMonth: mail.received, forwarded: mail.forwarded, blocked: mail.blocked },
    },
    limits: {
      maxMasks: limits.masks,
      emailsPerMonth: limits.emailsPerMonth,
      storageLimit: limits.storage,
      historyRetention: limits.history,
    },
  };
};
