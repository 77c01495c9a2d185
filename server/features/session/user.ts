import type { User } from "../../../core/session/user.ts";
import { parseTier } from "../../../core/tiers/tier.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { UserRow } from "../../platform/store/users.ts";

/** Converts a user row to the user that clients see. */
export const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  keyStatus: row.key_status === "configured" ? "configured" : "not-configured",
  ...(row.key_offer === null ? {} : { keyOffer: row.key_offer }),
  ...(row.passkey_offer === null ? {} : { passkeyOffer: row.passkey_offer }),
  subscription: {
    tier: parseTier(row.tier),
    status: row.subscription_status,
    ...(row.pays === 1 ? { isPaid: true } : {}),
    ...(row.plan_ends_at === null ? {} : { endsAt: new Date(row.plan_ends_at).toISOString() }),
  },
  twoFactor: { enabled: row.two_factor === 1 },
  created: new Date(row.created_at).toISOString(),
});

/** Throws a 403 when the operator has suspended the account. */
export const assertNotSuspended = ({ suspended }: UserRow): void => {
  if (suspended === 1) throw new UseCaseError("forbidden", "This account is suspended. Ask the operator.");
};
