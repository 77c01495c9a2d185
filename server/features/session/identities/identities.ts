import { UseCaseError } from "../../../platform/errors/useCaseError.ts";
import type { Db } from "../../../platform/store/database.ts";
import { newId } from "../../../platform/store/id.ts";
import { addNotification } from "../../notifications/notificationQueries.ts";
import type { ServerContext } from "../../serverContext.ts";
import type { SignedInUser } from "../completeSignIn.ts";
import { recordSessionWay } from "../signInWayQueries.ts";
import {
  findIdentity,
  type IdentityKey,
  insertIdentity,
  insertIdentitySession,
  recordIdentityUse,
} from "./identityQueries.ts";
import { isOfMailbox, openPending, type PendingSignOn } from "./pendingSignOn.ts";

/** The identities of users at the provider, for the other ways in. */
export interface Identities {
  /** Reads the cookie of a browser that has come from the provider. */
  readonly pending: (cookie: string | undefined) => PendingSignOn | null;
  /** Throws a 403 where codes are switched off, unless the code connects this mailbox with the provider. */
  readonly assertCodes: (cookie: string | undefined, email: string) => void;
  /**
   * Ends the sign-in that began at the provider: connects the identity with the user who has proven the mailbox, where it
   * is not yet, and records that it began the session.
   */
  readonly settle: (pending: PendingSignOn, signedIn: SignedInUser) => Promise<void>;
}

/** Records that the identity of a user began a session. */
export const recordSignOn = async (
  db: Db,
  {
    id,
    key,
    email,
    sid,
    sessionId,
    now,
  }: {
    readonly id: string;
    readonly key: IdentityKey;
    readonly email: string | null;
    readonly sid: string | null;
    readonly sessionId: string;
    readonly now: number;
  },
): Promise<void> => {
  await recordIdentityUse(db, id, { now, email });
  await insertIdentitySession(db, sessionId, { ...key, sid });
  await recordSessionWay(db, sessionId, "oidc");
};

export const createIdentities = ({
  config: { oidc },
  database,
  seal,
  clock,
  random,
  feed,
}: Pick<ServerContext, "config" | "database" | "seal" | "clock" | "random" | "feed">): Identities => {
  const providerName = oidc?.name ?? "your provider";
  const pending: Identities["pending"] = (cookie) => openPending(seal, cookie, clock.now());

  /** Returns the id of the identity if it is the user's, after connecting a new one. */
  const connect = async (
    db: Db,
    { issuer, subject, email }: PendingSignOn,
    { userId, isOwner }: { readonly userId: string; readonly isOwner: boolean },
  ): Promise<string | null> => {
    const known = await findIdentity(db, { issuer, subject });
    if (known) return known.user_id === userId ? known.id : null;
    if (!isOwner) return null;
    const now = clock.now();
    const id = newId(random);
    const row = {
      id,
      issuer,
      subject,
      user_id: userId,
      email: email ?? "",
      created_at: now,
      last_used_at: now,
    };
    if (!(await insertIdentity(db, row))) return null;
    await addNotification(
      db,
      {
        userId,
        type: "security",
        priority: "normal",
        message: `You can log in with ${providerName} now. If this was not you, disconnect it in Settings and end all other sessions.`,
      },
      now,
    );
    return id;
  };

  return {
    pending,
    assertCodes: (cookie, email) => {
      if (oidc?.only && !isOfMailbox(pending(cookie), email))
        throw new UseCaseError(
          "forbidden",
          `This server does not log in by codes. Continue with ${oidc.name}.`,
        );
    },
    settle: async (signOn, { credentials: { sessionId }, user }) => {
      const { id: userId } = user;
      if (userId === undefined) return;
      const isOwner = isOfMailbox(signOn, user.email);
      const { issuer, subject, sid, email } = signOn;
      await database.transaction(async (db) => {
        const id = await connect(db, signOn, { userId, isOwner });
        if (id === null) return;
        const key = { issuer, subject };
        await recordSignOn(db, { id, key, email, sid, sessionId, now: clock.now() });
      });
      feed.wake();
    },
  };
};
