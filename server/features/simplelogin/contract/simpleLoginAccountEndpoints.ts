import * as t from "io-ts";
import { endpoint } from "../../../../core/api/endpoint.ts";
import { byTable } from "../../../platform/answers/byTable.ts";
import { Integer, NullableText } from "./simpleLoginValues.ts";

/** The facts about an account that SimpleLogin's clients know; they check their key with them. */
export const UserInfo = t.type({
  name: t.string,
  /** Empty for a token without the scope account:read. */
  email: t.string,
  is_premium: t.boolean,
  in_trial: t.boolean,
  trial_end_timestamp: t.union([t.number, t.null]),
  max_alias_free_plan: t.number,
  connected_proton_address: NullableText,
  can_create_reverse_alias: t.boolean,
  profile_picture_url: NullableText,
});
export type UserInfo = t.TypeOf<typeof UserInfo>;

/** The check of a key. */
export const getUserInfo = endpoint("GET", "/api/user_info", { tokens: "any", answer: UserInfo });

/** SimpleLogin's clients read `error`, those of addy.io, which share the path, `message`. */
const Refusal = t.type({ error: t.string, message: t.string });

const Stats = t.type({ nb_alias: Integer, nb_block: Integer, nb_forward: Integer, nb_reply: Integer });

/** The figures of all masks of a user. */
interface StatsSource {
  readonly masks: number;
  readonly forwarded: number;
  readonly blocked: number;
  readonly sent: number;
}

/** Returns figures as SimpleLogin has them. */
export const toStats = byTable<StatsSource, t.TypeOf<typeof Stats>>({
  nb_alias: ({ masks }) => masks,
  nb_block: ({ blocked }) => blocked,
  nb_forward: ({ forwarded }) => forwarded,
  nb_reply: ({ sent }) => sent,
});

export const getStats = endpoint("GET", "/api/stats", { tokens: "masks:read", answer: Stats });

/** The sign-in with a password, and what belongs to it. All are refused: programs use an API token. */
export const passwordCalls = ["login", "mfa", "register", "activate", "reactivate", "forgot_password"].map(
  (name) => endpoint("POST", `/api/auth/${name}`, { status: 403, authentication: "none", answer: Refusal }),
);

/** The calls that an API token cannot make. */
export const accountChanges = [
  endpoint("PATCH", "/api/user_info"),
  endpoint("PATCH", "/api/sudo"),
  endpoint("DELETE", "/api/user"),
  endpoint("GET", "/api/user/cookie_token"),
];

/** A client forgets its token when it logs out; the token stays until its owner revokes it. */
export const getLogout = endpoint("GET", "/api/logout", {
  authentication: "none",
  answer: t.type({ msg: t.string }),
});

/** The browser extension tries to make a key with the session of a page, and asks for one when that is refused. */
export const postApiKey = endpoint("POST", "/api/api_key", { authentication: "none" });
