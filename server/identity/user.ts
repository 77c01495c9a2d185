import type { User } from "../../core/account/user.ts";
import { tierNamed } from "../../core/tiers/tier.ts";
import type { UserRow } from "../store/users.ts";

/** A user as clients know them (A3). */
export const userOf = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  keyStatus: row.key_status === "configured" ? "configured" : "not-configured",
  subscription: {
    tier: tierNamed(row.tier),
    status: row.subscription_status,
    ...(row.pays === 1 ? { isPaid: true } : {}),
    ...(row.plan_ends_at === null ? {} : { endsAt: new Date(row.plan_ends_at).toISOString() }),
  },
  twoFactor: { enabled: row.two_factor === 1 },
  created: new Date(row.created_at).toISOString(),
});
