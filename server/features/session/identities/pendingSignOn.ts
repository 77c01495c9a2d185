import * as t from "io-ts";
import { isSameMailbox } from "../../../../core/mail/mailboxName.ts";
import { ticketLifetimeMs } from "../../../../core/session/oneTimeCode.ts";
import type { Seal } from "../../../platform/ops/secrets.ts";

/** The identity that a browser has come with from the provider, until its sign-in is complete. */
const PendingSignOn = t.type({
  issuer: t.string,
  subject: t.string,
  sid: t.union([t.string, t.null]),
  /** The address that the provider has verified. */
  email: t.union([t.string, t.null]),
  /** True if OIDC_ALLOW names the identity, which may then sign up. */
  isAdmitted: t.boolean,
  until: t.number,
});
export type PendingSignOn = Readonly<t.TypeOf<typeof PendingSignOn>>;

const context = "pending sign-on";

/** Returns the value of the cookie, which only this installation can write and read. */
export const sealPending = (seal: Seal, pending: Omit<PendingSignOn, "until">, now: number): string =>
  seal.seal(JSON.stringify({ ...pending, until: now + ticketLifetimeMs }), context);

/** Reads the cookie; null without one, with another text, and after its time. */
export const openPending = (seal: Seal, cookie: string | undefined, now: number): PendingSignOn | null => {
  if (cookie === undefined) return null;
  try {
    const decoded = PendingSignOn.decode(JSON.parse(seal.open(cookie, context)));
    return decoded._tag === "Right" && decoded.right.until > now ? decoded.right : null;
  } catch {
    return null;
  }
};

/** True if the provider has verified this mailbox for the identity. */
export const isOfMailbox = (pending: PendingSignOn | null, email: string): pending is PendingSignOn =>
  pending !== null && pending.email !== null && isSameMailbox(pending.email, email);
