import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { flag } from "../api/queryCodecs.ts";

/** A session of the user on some device. Times are ISO 8601. */
export const OpenSession = t.type({
  id: t.string,
  /** True for the session of this request. */
  current: t.boolean,
  /** The User-Agent header at sign-in; may be empty. */
  userAgent: t.string,
  createdAt: t.string,
  lastUsedAt: t.string,
});
export type OpenSession = t.TypeOf<typeof OpenSession>;

/** Lists the sessions: the current one first, then by last use. */
export const listSessions = endpoint("GET", "/account/sessions", {
  answer: t.type({ sessions: t.array(OpenSession) }),
});

/**
 * Ends one of the caller's sessions, possibly the current one; another one needs a recent proof. 404 when the caller has none with
 * this id.
 */
export const endSession = endpoint("DELETE", "/account/sessions/:id", { params: t.type({ id: t.string }) });

/**
 * Ends all sessions of the caller but the current one and returns their number; with `apiTokens` it revokes all API tokens
 * too. A server may lack this endpoint.
 */
export const endOtherSessions = endpoint("DELETE", "/account/sessions", {
  needsRecentProof: true,
  params: t.partial({ apiTokens: flag }),
  answer: t.type({ ended: t.number }),
});
