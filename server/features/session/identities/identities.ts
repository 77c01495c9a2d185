import { minuteMs } from "../../../../core/kernel/durations.ts";
import type { EmailAddress } from "../../../../core/mail/emailAddress.ts";
import type { ServerContext } from "../../../context/serverContext.ts";
import { connectedMail, connectedText } from "../../../delivery/systemMail/signOnMailTexts.ts";
import { queueSystemMail } from "../../../delivery/systemMail/systemMail.ts";
import { UseCaseError } from "../../../platform/errors/useCaseError.ts";
import type { Db } from "../../../platform/store/database.ts";
import { newId } from "../../../platform/store/id.ts";
import { addNotification } from "../../notifications/notificationQueries.ts";
import type { SignedInUser } from "../completeSignIn.ts";
import { endSession } from "../sessions.ts";
import { recordSessionWay } from "../signInWayQueries.ts";
import {
  findIdentity,
  type IdentityKey,
  insertIdentity,
  insertIdentitySession,
  recordIdentityUse,
  wasEnded,
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
   * is not yet, and records that it began the session. Ends the session, and rejects as "unauthenticated", when the provider
   * has logged out meanwhile.
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
  sender,
  delivery,
  hash,
}: Pick<
  ServerContext,
  "config" | "database" | "seal" | "clock" | "random" | "feed" | "sender" | "delivery" | "hash"
>): Identities => {
  const providerName = oidc?.name ?? "your provider";
  const pending: Identities["pending"] = (cookie) => openPending(seal, cookie, clock.now());

  /** Tells the user, in the app and by mail, that there is another way into the account. */
  const tell = async (
    db: Db,
    { id, email }: { readonly id: string; readonly email: EmailAddress },
    now: number,
  ): Promise<void> => {
    const message = connectedText(providerName);
    await addNotification(db, { userId: id, type: "security", priority: "normal", message }, now);
    await queueSystemMail(db, sender, connectedMail(sender, email, providerName), { now, random });
  };

  /** Returns the id of the identity if it is the user's, after connecting a new one. */
  const connect = async (
    db: Db,
    signOn: PendingSignOn,
    user: { readonly id: string; readonly email: EmailAddress; readonly isNew: boolean },
  ): Promise<string | null> => {
    const { issuer, subject, email } = signOn;
    const known = await findIdentity(db, { issuer, subject });
    if (known) return known.user_id === user.id ? known.id : null;
    if (!isOfMailbox(signOn, user.email)) return null;
    const now = clock.now();
    const id = newId(random);
    const row = {
      id,
      issuer,
      subject,
      user_id: user.id,
      email: email ?? "",
      created_at: now,
      last_used_at: now,
    };
    if (!(await insertIdentity(db, row))) return null;
    if (!user.isNew) await tell(db, user, now);
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
      // An account that was made with the identity just now has no other owner to tell.
      const isNew = clock.now() - Date.parse(user.created ?? "") < minuteMs;
      const { issuer, subject, sid, email } = signOn;
      const isOver = await database.transaction(async (db) => {
        if (await wasEnded(db, { begun: signOn, hash, until: signOn.until }))
          return endSession(db, { userId, sessionId, now: clock.now() });
        const id = await connect(db, signOn, { id: userId, email: user.email, isNew });
        if (id === null) return false;
        const key = { issuer, subject };
        await recordSignOn(db, { id, key, email, sid, sessionId, now: clock.now() });
        return false;
      });
      feed.wake();
      delivery.wake();
      if (isOver)
        throw new UseCaseError("unauthenticated", `${providerName} has logged you out. Log in again.`);
    },
  };
};
