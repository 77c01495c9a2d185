import { dayMs, minuteMs } from "../../../core/kernel/durations.ts";
import { type EmailAddress, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { isAddressOfMasks } from "../../delivery/addressOfMasks.ts";
import { queueSystemMail } from "../../delivery/systemMail/systemMail.ts";
import { destinationConfirmationMail } from "../../delivery/systemMail/systemMailTexts.ts";
import { fieldError, invalidSession, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { adjustMaskCount } from "../../platform/store/users.ts";
import { baseMailboxOf, countMailForKey } from "../codes/codeMailLimit.ts";
import type { MaskDeps } from "../maskDeps.ts";
import {
  countConfirmationRequests,
  type DestinationRow,
  ensureDestination,
  findDefaultAddress,
  recordConfirmationRequest,
} from "./destinationQueries.ts";

const linkValidDays = 7;
/** The addresses that one user may have confirmed per day. */
const maxRequestsPerDay = 10;
const minResendIntervalMs = 10 * minuteMs;

const tooManyMailsMessage = "This address has got many mails from us already.";

const forwardsToMask = (): UseCaseError =>
  fieldError("invalid", "forwardTo", "A mask cannot forward to another mask. Please enter your own address.");

/** The wait doubles with every mail: it is at least 10 minutes and the time from the first mail to the last one. */
const mayRequestConfirmation = (destination: DestinationRow, now: number): boolean =>
  destination.asked_at === null ||
  now >= destination.asked_at + Math.max(minResendIntervalMs, destination.asked_at - destination.created_at);

/** `isConfirmationSent`: a confirmation mail is sent now. */
type Destination = DestinationRow & { readonly isConfirmationSent: boolean };

type DestinationDeps = Pick<MaskDeps, "clock" | "random" | "hash" | "sender">;

const requestConfirmation = async (
  db: Db,
  deps: DestinationDeps,
  userId: string,
  destination: DestinationRow,
): Promise<void> => {
  const { random, hash, sender } = deps;
  const now = deps.clock.now();
  if ((await countConfirmationRequests(db, userId, now - dayMs)) >= maxRequestsPerDay)
    throw new UseCaseError(
      "too-often",
      "You have added many new addresses today. Please try again tomorrow.",
      {
        errors: [{ field: "forwardTo", message: "Please use an address that you have confirmed already." }],
        retryAfterS: dayMs / 1_000,
      },
    );
  // The address is hashed, so that it is unknown after the user deletes the account.
  await countMailForKey(
    db,
    hash("asked-reader", baseMailboxOf(destination.email_key)),
    now,
    tooManyMailsMessage,
  );
  const token = newSecret(random);
  await recordConfirmationRequest(db, destination.id, {
    tokenHash: hash("confirmation", token),
    tokenExpiresAt: now + linkValidDays * dayMs,
    now,
  });
  const mail = destinationConfirmationMail(sender, destination.email, token, linkValidDays);
  await queueSystemMail(db, sender, mail, { now, random });
};

/**
 * Returns the destination for `forwardTo`, or the default one, or that of the account's address. An unconfirmed address gets a mail
 * with a link (D33): after 10 minutes and then doubled waits, at most 10 new addresses a day per user, and 5
 * mails an hour per mailbox. Locks the user, so parallel requests cannot exceed these limits.
 */
export const resolveDestination = async (
  db: Db,
  deps: DestinationDeps,
  userId: string,
  forwardTo: EmailAddress | undefined,
): Promise<Destination> => {
  const user = await adjustMaskCount(db, userId, 0);
  if (!user) throw invalidSession();
  const email = forwardTo ?? (await findDefaultAddress(db, userId)) ?? user.email;
  const emailKey = mailboxKey(email);
  const isOwnMailbox = emailKey === user.email_key;
  const now = deps.clock.now();
  const destination = await ensureDestination(db, {
    id: newId(deps.random),
    userId,
    email,
    emailKey,
    confirmedAt: isOwnMailbox ? now : null,
    now,
  });
  if (destination.confirmed_at === null && (await isAddressOfMasks(db, email, deps.sender.maskDomain)))
    throw forwardsToMask();
  const isConfirmationSent = destination.confirmed_at === null && mayRequestConfirmation(destination, now);
  if (isConfirmationSent) await requestConfirmation(db, deps, userId, destination);
  return { ...destination, isConfirmationSent };
};
