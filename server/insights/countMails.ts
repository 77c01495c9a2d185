import type { CountMails, PassedMail } from "../relay/countMails.ts";
import { withConsent } from "../store/contentAccess.ts";
import { addCounts } from "../store/counts.ts";
import type { Engine } from "../store/dialect.ts";
import { type Outcome, type RecentMail, rememberMails } from "../store/recentMails.ts";
import { countsOf } from "./countedMail.ts";

const outcomeOf = ({ passage, forwarded, archived }: PassedMail): Outcome => {
  if (passage.block !== null) return "blocked";
  if (archived) return "archived";
  if (!forwarded) return "dropped";
  return passage.copies.length > 0 ? "forwarded" : "digest";
};

const remembered = (mail: PassedMail): RecentMail => {
  const { route, senderDomain, category, block } = mail.passage;
  return {
    userId: route.userId,
    maskId: route.maskId,
    senderDomain,
    category,
    outcome: outcomeOf(mail),
    threatLevel: block?.threatLevel ?? null,
    reason: block?.reason ?? null,
  };
};

/** Forgets what was derived for users who have withdrawn their consent while the mail was on its way. */
const asAllowed = (mails: readonly PassedMail[], allowed: ReadonlySet<string>): readonly PassedMail[] =>
  mails.map((mail) => {
    const { passage } = mail;
    return passage.category === null || allowed.has(passage.route.userId)
      ? mail
      : { ...mail, passage: { ...passage, category: null } };
  });

/** Makes what moves the figures of insights in the transaction of the mails they count. */
export const makeCountMails =
  (engine: Pick<Engine, "each">): CountMails =>
  async (db, mails, now) => {
    if (mails.length === 0) return;
    const classified = mails.filter(({ passage }) => passage.category !== null);
    const owners = [...new Set(classified.map(({ passage }) => passage.route.userId))];
    const counted = asAllowed(mails, await withConsent(db, owners, now));
    await addCounts(
      db,
      engine,
      counted.flatMap((mail) => countsOf(mail, now)),
      now,
    );
    await rememberMails(db, engine, counted.map(remembered), now);
  };
