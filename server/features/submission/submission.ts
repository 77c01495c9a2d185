import type { DomainName } from "../../../core/mail/domainName.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../platform/ops/log.ts";
import { logRefusedPeer } from "../../platform/ops/refusedPeers.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { Submission } from "../../smtp/smtpTransaction.ts";
import { isAppPassword, parseAppPassword } from "../appPasswords/appPassword.ts";
import { type FoundPassword, findAppPassword, recordUse } from "../appPasswords/appPasswordQueries.ts";
import { findOwnMask } from "../replies/replyQueries.ts";
import { answerOf, tooManyLogins, wrongLogin } from "../replies/replyRefusals.ts";
import type { OutgoingMail } from "../replies/submitMail.ts";
import { createLoginLimits } from "./loginLimits.ts";
import { beginSubmission } from "./submissionTransaction.ts";

export interface SubmissionDeps {
  readonly database: Database;
  readonly maskDomain: DomainName;
  readonly publicUrl: string;
  readonly outgoing: OutgoingMail;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/** The name is the account's address, or one of its masks. */
const isNameOf = async (
  db: Db,
  user: string,
  found: FoundPassword,
  maskDomain: DomainName,
): Promise<boolean> =>
  isSameMailbox(found.email, user.trim()) ||
  (await findOwnMask(db, { userId: found.userId, email: user.trim() }, maskDomain)) !== null;

/** Creates what lets the mail programs of users log in and send from their masks (RFC 6409). */
export const createSubmission = ({
  database,
  maskDomain,
  publicUrl,
  outgoing,
  clock,
  log,
}: SubmissionDeps): Submission => {
  const { db } = database;
  const limits = createLoginLimits(clock.now);

  const check = async (user: string, password: string): Promise<FoundPassword | null> => {
    const typed = parseAppPassword(password);
    const found = typed && (await findAppPassword(db, typed.lookup));
    if (!typed || !found || !(await isAppPassword(typed, found.id, found.hash))) return null;
    return (await isNameOf(db, user, found, maskDomain)) ? found : null;
  };

  return {
    authenticate: async ({ user, password }, remoteAddress) => {
      if (!limits.mayTry(user, remoteAddress)) {
        logRefusedPeer(log, "submission", remoteAddress);
        return answerOf(tooManyLogins, publicUrl);
      }
      // Counted before the check, so that parallel logins stay within the limit.
      const succeed = limits.recordAttempt(user, remoteAddress);
      const found = await check(user, password);
      if (!found) {
        logRefusedPeer(log, "submission", remoteAddress);
        return answerOf(wrongLogin, publicUrl);
      }
      succeed();
      await recordUse(db, found, clock.now());
      const { id: passwordId, userId } = found;
      return (parameters) =>
        beginSubmission({ db, maskDomain, publicUrl, outgoing }, { passwordId, userId }, parameters);
    },
  };
};
