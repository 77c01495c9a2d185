import { isSameMailbox } from "../../../../core/mail/mailboxName.ts";
import { parseRecoveryCode } from "../../../../core/session/twoFactor/recoveryCode.ts";
import type { ServerContext } from "../../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../../platform/errors/useCaseError.ts";
import { findUser, lockUser } from "../../../platform/store/users.ts";
import type { CodeNetwork } from "../../signInCodes/codeNetwork.ts";
import type { SignedInUser } from "../completeSignIn.ts";
import type { Sessions } from "../sessions.ts";
import { findTicketWay, recordSessionWay } from "../signInWayQueries.ts";
import { assertNotSuspended, toUser } from "../user.ts";
import type { ConsumeFactor, CountFactorTry } from "./secondFactor.ts";
import type { NotifyTwoFactor } from "./twoFactorNotice.ts";
import { consumeFactorTicket, tryFactorTicket } from "./twoFactorQueries.ts";

export interface VerifySecondFactorDeps
  extends Pick<ServerContext, "database" | "hash" | "clock" | "feed" | "delivery"> {
  readonly sessions: Pick<Sessions, "open">;
  readonly consumeFactor: ConsumeFactor;
  readonly countFactorTry: CountFactorTry;
  readonly notifyTwoFactor: NotifyTwoFactor;
}

export interface SecondFactorAttempt {
  readonly email: string;
  /** An authenticator or recovery code. */
  readonly code: string;
  readonly ticket: string;
  readonly userAgent: string;
  /** The id of a browser in which the mailbox has signed in before; null for others. */
  readonly browser: string | null;
  readonly network: CodeNetwork;
}

const ticketExpired = (): UseCaseError =>
  new UseCaseError(
    "unauthenticated",
    "This login has expired or was tried too often. Start again with a new code.",
  );

const recoveryOnlyText = "This account requires a passkey. Without one, enter one of your recovery codes.";

/**
 * Exchanges a ticket and a second factor for a session. A ticket works once, for 5 minutes, with at most 5
 * tries, each counted before the comparison. Rejects as "unauthenticated".
 */
export const createVerifySecondFactor =
  (deps: VerifySecondFactorDeps) =>
  async ({
    email,
    code,
    ticket,
    userAgent,
    browser,
    network,
  }: SecondFactorAttempt): Promise<SignedInUser> => {
    const { database, sessions, clock } = deps;
    const now = clock.now();
    const tokenHash = deps.hash("second-factor", ticket);
    const tried = await tryFactorTicket(database.db, tokenHash, now);
    if (!tried) throw ticketExpired();
    const { user_id: userId, passkey_id: passkeyId, recovery_only: isRecoveryOnly } = tried;
    if (isRecoveryOnly === 1 && parseRecoveryCode(code) === null)
      throw fieldError("unauthenticated", "code", recoveryOnlyText);
    const client = { client: browser ?? network.name, isKnown: browser !== null };
    await deps.countFactorTry(userId, client);

    const signedIn = await database.transaction(async (db): Promise<SignedInUser> => {
      await lockUser(db, userId);
      const user = await findUser(db, userId);
      if (!user || !isSameMailbox(user.email, email)) throw ticketExpired();
      assertNotSuspended(user);
      const factorKind = await deps.consumeFactor(db, { userId, code, now, client }, "unauthenticated");
      const way = await findTicketWay(db, tokenHash);
      if (!(await consumeFactorTicket(db, tokenHash))) throw ticketExpired();
      if (factorKind === "recovery-code") await deps.notifyTwoFactor(db, user, "recovery-code-used");
      const credentials = await sessions.open(db, userId, userAgent, passkeyId);
      await recordSessionWay(db, credentials.sessionId, way);
      return { kind: "signed-in", credentials, user: toUser(user) };
    });
    deps.feed.wake();
    deps.delivery.wake();
    return signedIn;
  };
