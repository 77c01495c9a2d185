import type { ApiScope } from "../../../core/api/apiScope.ts";
import { dayMs, minuteMs } from "../../../core/kernel/durations.ts";
import { type EmailAddress, type MailboxKey, mailboxKey } from "../../../core/mail/emailAddress.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { isAddressOfMasks } from "../../delivery/addressOfMasks.ts";
import { queueSystemMail } from "../../delivery/systemMail/systemMail.ts";
import {
  addedDestinationMail,
  addedDestinationText,
  destinationConfirmationMail,
} from "../../delivery/systemMail/systemMailTexts.ts";
import { fieldError, invalidSession, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import type { AuthContext, TokenGrant } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";
import { newId } from "../../platform/store/id.ts";
import { storedKeysOf } from "../../platform/store/storedKeys.ts";
import { adjustMaskCount, type UserRow } from "../../platform/store/users.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { assertRecentlyProven } from "../recentProof/recentProof.ts";
import { baseMailboxOf, countMailForKey } from "../signInCodes/codeMailLimit.ts";
import {
  countConfirmationRequests,
  type DestinationRow,
  ensureDestination,
  findDefaultAddress,
  findDestination,
  recordConfirmationRequest,
} from "./destinationQueries.ts";

/** The scope that an API token needs to name addresses that are not confirmed. */
const addingScope = "destinations" satisfies ApiScope;

const linkValidDays = 7;
/** The addresses that one user may have confirmed per day. */
export const maxRequestsPerDay = 10;
const minResendIntervalMs = 10 * minuteMs;

const tooManyMailsMessage = "This address has received many emails from this server already.";

const forwardsToMask = (): UseCaseError =>
  fieldError("invalid", "forwardTo", "A mask cannot forward to another mask. Enter your own address.");

/** The wait doubles with every mail: it is at least 10 minutes and the time from the first mail to the last one. */
const mayRequestConfirmation = (destination: DestinationRow, now: number): boolean =>
  destination.asked_at === null ||
  now >= destination.asked_at + Math.max(minResendIntervalMs, destination.asked_at - destination.created_at);

/** `isConfirmationSent`: a confirmation mail is sent now. */
type Destination = DestinationRow & { readonly isConfirmationSent: boolean };

type DestinationDeps = Pick<MaskDeps, "clock" | "random" | "hash" | "sender">;

/** The caller that names where mail goes. Without a session or an API token, only confirmed addresses can be named. */
export type DestinationAuthor = Pick<AuthContext, "userId"> &
  Partial<Pick<AuthContext, "callerId" | "token">>;

const needsScope = (): UseCaseError => {
  const message =
    "This API token can choose among your confirmed addresses only. Add the address in the app first, or use a token with the scope destinations.";
  return new UseCaseError("forbidden", message, {
    errors: [{ field: "forwardTo", message }],
    extra: { scope: addingScope },
  });
};

/** An address that is not confirmed: whether the account has it, and whether the changed mask or rules name it already. */
interface Unconfirmed {
  readonly isKnown: boolean;
  readonly isNamedAgain: boolean;
}

/** Rejects unless the author may name an address that is not confirmed. */
const assertMayName = async (
  db: Db,
  { callerId, token }: DestinationAuthor,
  { isKnown, isNamedAgain }: Unconfirmed,
  now: number,
): Promise<void> => {
  if (isKnown && isNamedAgain) return;
  if (token) {
    if (!token.scopes.includes(addingScope)) throw needsScope();
  } else if (callerId === undefined)
    throw fieldError("forbidden", "forwardTo", "Choose one of your confirmed addresses.");
  else if (!isKnown) await assertRecentlyProven(db, callerId, now);
};

/** Tells the owner of a new destination, in the app and at the account's address: they may not be who added it. */
const announce = async (
  db: Db,
  { random, sender }: DestinationDeps,
  user: UserRow,
  {
    email,
    token,
    now,
  }: { readonly email: EmailAddress; readonly token: TokenGrant | null; readonly now: number },
): Promise<void> => {
  const text = addedDestinationText(email, token?.name ?? null);
  // What the user just did in the app has normal priority, which shows no toast.
  const priority = token === null ? "normal" : "high";
  await addNotification(
    db,
    { userId: user.id, type: "security", priority, message: text, place: "destinations" },
    now,
  );
  await queueSystemMail(db, sender, addedDestinationMail(sender, user.email, text), { now, random });
};

const requestConfirmation = async (
  db: Db,
  deps: DestinationDeps,
  userId: string,
  destination: DestinationRow,
): Promise<void> => {
  const { random, hash, sender } = deps;
  const now = deps.clock.now();
  if ((await countConfirmationRequests(db, userId, now - dayMs)) >= maxRequestsPerDay)
    throw new UseCaseError("too-often", "You have added many new addresses today. Try again tomorrow.", {
      errors: [{ field: "forwardTo", message: "Use an address that you have confirmed already." }],
      retryAfterS: dayMs / 1_000,
    });
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

/** The address that is named, and the mailboxes that the changed mask or rules have named before. */
interface NamedDestination {
  readonly forwardTo: EmailAddress | undefined;
  readonly before?: ReadonlySet<MailboxKey>;
}

/**
 * Returns the destination for `forwardTo`, or the default one, or that of the account's address. An unconfirmed address gets a mail
 * with a link (D33): after 10 minutes and then doubled waits, at most 10 new addresses a day per user, and 5
 * mails an hour per mailbox. A session names a new one only with a recent proof; an API token without the scope
 * `destinations` names none that is not confirmed, unless it was named `before`. Others are refused with 403. The owner is
 * told of each new address. Locks the user, so parallel requests cannot exceed these limits.
 */
export const resolveDestination = async (
  db: Db,
  deps: DestinationDeps,
  author: DestinationAuthor,
  { forwardTo, before }: NamedDestination,
): Promise<Destination> => {
  const { userId } = author;
  const user = await adjustMaskCount(db, userId, 0);
  if (!user) throw invalidSession();
  const named = forwardTo ?? (await findDefaultAddress(db, userId)) ?? user.email;
  const isOwnMailbox = isSameMailbox(named, user.email);
  const email = isOwnMailbox ? user.email : named;
  const emailKey = mailboxKey(email);
  const now = deps.clock.now();
  const known = await findDestination(db, userId, emailKey);
  const isConfirmed = isOwnMailbox || (known !== undefined && known.confirmed_at !== null);
  const isNamedAgain = storedKeysOf(emailKey).some((key) => before?.has(key) === true);
  if (!isConfirmed) await assertMayName(db, author, { isKnown: known !== undefined, isNamedAgain }, now);
  if (!isConfirmed && (await isAddressOfMasks(db, email, deps.sender.maskDomain))) throw forwardsToMask();
  const destination = await ensureDestination(db, {
    id: newId(deps.random),
    userId,
    email,
    emailKey,
    confirmedAt: isOwnMailbox ? now : null,
    now,
  });
  if (!known && !isOwnMailbox) await announce(db, deps, user, { email, token: author.token ?? null, now });
  const isConfirmationSent = destination.confirmed_at === null && mayRequestConfirmation(destination, now);
  if (isConfirmationSent) await requestConfirmation(db, deps, userId, destination);
  return { ...destination, isConfirmationSent };
};
