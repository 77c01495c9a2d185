import { dayMs, minuteMs } from "../../core/kernel/durations.ts";
import { type EmailAddress, mailboxKey } from "../../core/mail/emailAddress.ts";
import { Refusal, refusedField } from "../http/refusal.ts";
import { invalidSession } from "../identity/authenticate.ts";
import { countMailUnder } from "../identity/codeMailLimit.ts";
import { readerOf } from "../identity/reader.ts";
import { newSecret } from "../identity/secret.ts";
import { confirmationMail } from "../mailing/confirmationMail.ts";
import { isOwnDomain } from "../mailing/ownDomain.ts";
import { composeOwnMail } from "../mailing/ownMail.ts";
import { queueOwnMail } from "../mailing/queueOwnMail.ts";
import type { Db } from "../store/database.ts";
import { countAsked, type DestinationRow, ensureDestination, noteAsked } from "../store/destinations.ts";
import { newId } from "../store/id.ts";
import { countMasks } from "../store/users.ts";
import type { MaskParts } from "./maskParts.ts";

/** How long the link in a confirmation mail works. */
const linkForDays = 7;
/** How many addresses one user may have asked within a day. */
const askedADay = 10;
/** The shortest time between two mails that ask the same address. */
const askAgainAfterMs = 10 * minuteMs;

const tooManyMails = "This address has got many mails from us already.";

/** The wait doubles with every mail: 10 minutes after the first, then as long again as the asking has gone on. */
const mayAsk = (destination: DestinationRow, now: number): boolean =>
  destination.asked_at === null ||
  now >= destination.asked_at + Math.max(askAgainAfterMs, destination.asked_at - destination.created_at);

/** `isAsked`: a mail that asks to confirm it goes out now. */
type Destination = DestinationRow & { readonly isAsked: boolean };

type Parts = Pick<MaskParts, "clock" | "random" | "hash" | "sender">;

const ask = async (db: Db, parts: Parts, userId: string, destination: DestinationRow): Promise<void> => {
  const { random, hash, sender } = parts;
  const now = parts.clock.now();
  if ((await countAsked(db, userId, now - dayMs)) >= askedADay)
    throw new Refusal(429, "You have added many new addresses today. Please try again tomorrow.", {
      errors: [{ field: "forwardTo", message: "Please use an address that you have confirmed already." }],
      retryAfterS: dayMs / 1_000,
    });
  // Under a hash: who was asked is nobody's business once whoever asked has left.
  await countMailUnder(db, hash("asked-reader", readerOf(destination.email_key)), now, tooManyMails);
  const token = newSecret(random);
  await noteAsked(db, destination.id, {
    tokenHash: hash("confirmation", token),
    tokenExpiresAt: now + linkForDays * dayMs,
    now,
  });
  const mail = confirmationMail(sender, destination.email, token, linkForDays);
  const content = await composeOwnMail(sender, mail, { now, random });
  await queueOwnMail(db, sender, { recipient: destination.email, content }, { now, random });
};

/**
 * Where mail for `forwardTo` goes, or to the account's own address without one. An address that nobody has confirmed
 * gets a mail with a link, and no more of them than is decent: saving the mask again asks again after 10 minutes,
 * then after ever longer (D33), and however many users ask, a mailbox gets at most 5 of them an hour. Takes the lock on
 * the user, so parallel requests cannot ask more often.
 */
export const destinationFor = async (
  db: Db,
  parts: Parts,
  userId: string,
  forwardTo: EmailAddress | undefined,
): Promise<Destination> => {
  const user = await countMasks(db, userId, 0);
  if (!user) throw invalidSession();
  const email = forwardTo ?? user.email;
  const emailKey = mailboxKey(email);
  const isOwnMailbox = emailKey === user.email_key;
  if (!isOwnMailbox && isOwnDomain(email, parts.sender.maskDomain))
    throw refusedField(
      400,
      "forwardTo",
      "A mask cannot forward to another mask. Please enter your own address.",
    );
  const now = parts.clock.now();
  const destination = await ensureDestination(db, {
    id: newId(parts.random),
    userId,
    email,
    emailKey,
    confirmedAt: isOwnMailbox ? now : null,
    now,
  });
  const isAsked = destination.confirmed_at === null && mayAsk(destination, now);
  if (isAsked) await ask(db, parts, userId, destination);
  return { ...destination, isAsked };
};
