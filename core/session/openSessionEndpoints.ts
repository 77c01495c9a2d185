import * as t from "io-ts";
import { endpoint } from "../contract/endpoint.ts";

/** A place where the user is signed in (D41). Times as in ISO 8601. */
export const OpenSession = t.type({
  id: t.string,
  /** Whether it is the session that asks. */
  current: t.boolean,
  /** What the browser called itself when it signed in; may be empty. */
  userAgent: t.string,
  createdAt: t.string,
  lastUsedAt: t.string,
});
export type OpenSession = t.TypeOf<typeof OpenSession>;

/** The asking session first, then the one used last. */
export const listSessions = endpoint("GET", "/account/sessions", {
  answer: t.type({ sessions: t.array(OpenSession) }),
});

/** Ends one of the caller's sessions, the asking one too; 404 when the caller has none of this id. */
export const endSession = endpoint("DELETE", "/account/sessions/:id", { params: t.type({ id: t.string }) });

/** Ends all of the caller's sessions but the asking one, and answers how many those were. A server may lack this call. */
export const endOtherSessions = endpoint("DELETE", "/account/sessions", {
  answer: t.type({ ended: t.number }),
});
