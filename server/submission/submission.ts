import type { Clock } from "../../core/ports/clock.ts";
import type { Log } from "../ops/log.ts";
import { findOwnMask } from "../replies/replyQueries.ts";
import type { OutgoingMail } from "../replies/submitMail.ts";
import { smtpReply } from "../smtp/replies.ts";
import type { Submission } from "../smtp/transaction.ts";
import type { Database, Db } from "../store/database.ts";
import { isAppPassword, parseAppPassword } from "./appPassword.ts";
import { type FoundPassword, findAppPassword, recordUse } from "./appPasswordQueries.ts";
import { createLoginLimits } from "./loginLimits.ts";
import { beginSubmission } from "./submissionTransaction.ts";

export interface SubmissionDeps {
  readonly database: Database;
  readonly maskDomain: string;
  readonly outgoing: OutgoingMail;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

const wrongLogin = smtpReply(535, "5.7.8", "BAUTA-S1 Wrong name or app password; see docs/replies.md");
const tooManyFailures = smtpReply(454, "4.7.0", "BAUTA-S2 Too many failed logins; try again later");

/** The name is the account's address, or one of its masks. */
const isNameOf = async (db: Db, user: string, found: FoundPassword): Promise<boolean> =>
  found.email.toLowerCase() === user.trim().toLowerCase() ||
  (await findOwnMask(db, found.userId, user.trim())) !== null;

/** Creates what lets the mail programs of users log in and send from their masks (RFC 6409). */
export const createSubmission = ({
  database,
  maskDomain,
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
    return (await isNameOf(db, user, found)) ? found : null;
  };

  return {
    authenticate: async ({ user, password }, remoteAddress) => {
      if (!limits.mayTry(user, remoteAddress)) return tooManyFailures;
      // Counted before the check, so that parallel logins stay within the limit.
      const succeed = limits.recordAttempt(user, remoteAddress);
      const found = await check(user, password);
      if (!found) {
        log.info("a login of a mail program failed");
        return wrongLogin;
      }
      succeed();
      await recordUse(db, found, clock.now());
      const { id: passwordId, userId } = found;
      return (parameters) =>
        beginSubmission({ db, maskDomain, outgoing }, { passwordId, userId }, parameters);
    },
  };
};
