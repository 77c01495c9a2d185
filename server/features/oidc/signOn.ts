import { type EmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { ticketLifetimeMs } from "../../../core/session/oneTimeCode.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { isAddressOfMasks } from "../../delivery/addressOfMasks.ts";
import type { OidcConfig } from "../../platform/config/oidc.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import { findUser, findUserByMailbox, type UserRow } from "../../platform/store/users.ts";
import type { SignInResult } from "../session/completeSignIn.ts";
import { recordSignOn } from "../session/identities/identities.ts";
import {
  consumeSignOnTicket,
  findIdentity,
  insertSignOnTicket,
  type SignOnTicketRow,
} from "../session/identities/identityQueries.ts";
import { type PendingSignOn, sealPending } from "../session/identities/pendingSignOn.ts";
import { signOnTicketMs } from "../session/lifetimes.ts";
import type { SessionServices } from "../session/sessionServices.ts";
import type { ProvenMailbox } from "../session/signIn/provenMailbox.ts";
import type { createRequestCode } from "../session/signIn/requestCode.ts";
import { admissionOf, signUpClosed } from "../session/signIn/signUpPolicy.ts";
import { assertNotSuspended, toUser } from "../session/user.ts";
import { insertSignUpTicket } from "../signInCodes/signInQueries.ts";
import { isNamed, type ProvenIdentity } from "./claims.ts";
import { SignOnRefusal } from "./signOnRefusal.ts";

export interface SignOnDeps
  extends Pick<
    ServerContext,
    "config" | "database" | "hash" | "seal" | "clock" | "random" | "sender" | "feed"
  > {
  readonly oidc: OidcConfig;
  readonly session: Pick<SessionServices, "sessions" | "completeSignIn">;
  readonly requestCode: ReturnType<typeof createRequestCode>;
}

/** The ticket that the page exchanges, and the value that its browser keeps to prove that it is the same. */
export interface SignOnTicket {
  readonly ticket: string;
  readonly binding: string;
}

/**
 * Creates the function that decides whether an identity goes on, and makes its ticket. Whether an account exists decides
 * nothing here.
 */
export const createAdmitIdentity =
  ({ oidc, config, database, hash, clock, random }: SignOnDeps) =>
  async (identity: ProvenIdentity): Promise<SignOnTicket> => {
    const { issuer, subject, sid, email, isMultiFactor } = identity;
    const isAdmitted = isNamed(oidc.allowed, identity);
    if (oidc.allowed.length > 0 && !isAdmitted)
      throw new SignOnRefusal("not-allowed", "OIDC_ALLOW does not name the identity");
    const { db } = database;
    const known = await findIdentity(db, { issuer, subject });
    if (!known && email === null) throw new SignOnRefusal("unverified", "no verified address");
    if (!known && email !== null && (await isAddressOfMasks(db, email, config.maskDomain)))
      throw new SignOnRefusal("own-mask", "the address is a mask");
    const ticket = newSecret(random);
    const binding = newSecret(random);
    await insertSignOnTicket(db, {
      token_hash: hash("sign-on", ticket, binding),
      issuer,
      subject,
      sid,
      email,
      is_multi_factor: isMultiFactor ? 1 : 0,
      is_admitted: isAdmitted ? 1 : 0,
      expires_at: clock.now() + signOnTicketMs,
    });
    return { ticket, binding };
  };

/** The next step after a ticket: a sign-in, a sign-up, or a code by which the owner of an account connects it. */
export type OpenedTicket =
  | {
      readonly kind: "proven";
      readonly email: EmailAddress;
      readonly proven: ProvenMailbox;
      readonly pending: string | null;
    }
  | { readonly kind: "code-required"; readonly email: EmailAddress; readonly pending: string };

/** A request that brings a ticket. */
export interface TicketRequest {
  readonly ticket: string;
  readonly binding: string;
  readonly userAgent: string;
}

const ticketUsed = (): UseCaseError =>
  new UseCaseError("unauthenticated", "This login was used already or has expired. Start again.");

/** Creates the function that exchanges a ticket in the browser that it was made for. */
export const createOpenTicket = (deps: SignOnDeps) => {
  const { database, hash, seal, clock, random, session, config } = deps;

  const pendingOf = (row: SignOnTicketRow): string => {
    const { issuer, subject, sid, email } = row;
    const pending: Omit<PendingSignOn, "until"> = {
      issuer,
      subject,
      sid,
      email,
      isAdmitted: row.is_admitted === 1,
    };
    return sealPending(seal, pending, clock.now());
  };

  /** Signs the user of a connected identity in; the provider's second factor replaces that of the account. */
  const signIn = async (
    db: Db,
    user: UserRow,
    { isMultiFactor, userAgent }: { readonly isMultiFactor: boolean; readonly userAgent: string },
  ): Promise<SignInResult> => {
    if (!isMultiFactor) return session.completeSignIn(db, user, userAgent);
    assertNotSuspended(user);
    const credentials = await session.sessions.open(db, user.id, userAgent);
    return { kind: "signed-in", credentials, user: toUser(user) };
  };

  const signUp = async (db: Db, email: EmailAddress, isAdmitted: boolean): Promise<ProvenMailbox> => {
    const admission = isAdmitted ? "open" : admissionOf(config.signUp, email);
    if (admission === "closed") throw signUpClosed();
    const ticket = newSecret(random);
    const expiresAt = clock.now() + ticketLifetimeMs;
    await insertSignUpTicket(db, { tokenHash: hash("ticket", ticket), email, expiresAt });
    return { kind: "plan-required", ticket, needsInvitation: admission === "invite" };
  };

  /** Goes on for an identity that is connected with an account. */
  const goOn = async (
    db: Db,
    {
      row,
      identityId,
      user,
      userAgent,
    }: { row: SignOnTicketRow; identityId: string; user: UserRow; userAgent: string },
  ): Promise<OpenedTicket> => {
    const { issuer, subject, sid, email } = row;
    const proven = await signIn(db, user, { isMultiFactor: row.is_multi_factor === 1, userAgent });
    if (proven.kind !== "signed-in")
      return { kind: "proven", email: user.email, proven, pending: pendingOf(row) };
    const { sessionId } = proven.credentials;
    const key = { issuer, subject };
    await recordSignOn(db, { id: identityId, key, email, sid, sessionId, now: clock.now() });
    return { kind: "proven", email: user.email, proven, pending: null };
  };

  /** Begins with an identity that no account is connected with. */
  const begin = async (db: Db, row: SignOnTicketRow): Promise<OpenedTicket> => {
    const { email } = row;
    if (email === null) throw ticketUsed();
    if (await findUserByMailbox(db, mailboxKey(email)))
      return { kind: "code-required", email, pending: pendingOf(row) };
    const proven = await signUp(db, email, row.is_admitted === 1);
    return { kind: "proven", email, proven, pending: pendingOf(row) };
  };

  return ({ ticket, binding, userAgent }: TicketRequest): Promise<OpenedTicket> =>
    database.transaction(async (db): Promise<OpenedTicket> => {
      const row = await consumeSignOnTicket(db, hash("sign-on", ticket, binding), clock.now());
      if (!row) throw ticketUsed();
      const identity = await findIdentity(db, row);
      const user = identity && (await findUser(db, identity.user_id));
      return identity && user ? goOn(db, { row, identityId: identity.id, user, userAgent }) : begin(db, row);
    });
};
