import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";

const nullableText = t.union([t.string, t.null]);

/** What SimpleLogin's clients know of an account; they check their key with it. */
export const UserInfo = t.type({
  name: t.string,
  /** Empty for a token without the scope account:read. */
  email: t.string,
  is_premium: t.boolean,
  in_trial: t.boolean,
  trial_end_timestamp: t.union([t.number, t.null]),
  max_alias_free_plan: t.number,
  connected_proton_address: nullableText,
  can_create_reverse_alias: t.boolean,
  profile_picture_url: nullableText,
});
export type UserInfo = t.TypeOf<typeof UserInfo>;

export const getUserInfo = endpoint("GET", "/api/user_info", { tokens: "any", answer: UserInfo });

/** SimpleLogin's clients read `error`, those of addy.io, which share the path, `message`. */
const Refusal = t.type({ error: t.string, message: t.string });

/** The sign-in with a password, and its second step. Both are refused: programs use an API token. */
export const postLogin = endpoint("POST", "/api/auth/login", { authentication: "none", answer: Refusal });
export const postMfa = endpoint("POST", "/api/auth/mfa", { authentication: "none", answer: Refusal });

/** A client forgets its token when it logs out; the token stays until its owner revokes it. */
export const getLogout = endpoint("GET", "/api/logout", {
  authentication: "none",
  answer: t.type({ msg: t.string }),
});

/** The browser extension tries to make a key with the session of a page, and asks for one when that is refused. */
export const postApiKey = endpoint("POST", "/api/api_key", { authentication: "none" });
