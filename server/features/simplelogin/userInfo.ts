import { limitsOf, mayChoosePrefix, parseTier } from "../../../core/tiers/tier.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";
import { getUser } from "../../platform/store/users.ts";
import type { UserInfo } from "./contract/simpleLoginAccountEndpoints.ts";

/** The greatest number of masks that is said; clients read it as an integer of 32 bits. */
const endless = 2 ** 31 - 1;

/** Reads what is known of an account. The address is told to tokens alone that may read the account. */
export const readUserInfo = async (db: Db, { userId, token }: AuthContext): Promise<UserInfo> => {
  const { email, tier } = await getUser(db, userId);
  const isKnown = token?.scopes.includes("account:read") === true;
  const { masks } = limitsOf[parseTier(tier)];
  return {
    name: token?.name ?? "",
    email: isKnown ? email : "",
    is_premium: masks === null || mayChoosePrefix(tier),
    in_trial: false,
    trial_end_timestamp: null,
    max_alias_free_plan: masks ?? endless,
    connected_proton_address: null,
    can_create_reverse_alias: token?.scopes.includes("correspondents") === true,
    profile_picture_url: null,
  };
};
