import type { EmailAddress, MailboxKey } from "../../../core/mail/emailAddress.ts";
import { isSameMailbox, mailboxName } from "../../../core/mail/mailboxName.ts";
import type { Db } from "../../platform/store/database.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { type DestinationAuthor, resolveDestination } from "./destination.ts";

interface MaskDestinations {
  readonly maskId: string;
  /** All of them, the first one included. */
  readonly destinations: readonly EmailAddress[];
  /** The mailboxes that its mail went to before. */
  readonly before?: ReadonlySet<MailboxKey>;
}

/** Returns each address once, the first spelling of each mailbox. */
const distinct = (addresses: readonly EmailAddress[]): readonly EmailAddress[] => {
  return [...Map.groupBy(addresses, mailboxName).values()].flatMap(([first]) => first ?? []);
};

/** Returns the mailboxes that the mail of a mask goes to, the first one and the further ones. */
export const findMailboxesOfMask = async (
  db: Db,
  userId: string,
  maskId: string,
): Promise<ReadonlySet<MailboxKey>> => {
  const rows = await db
    .selectFrom("destinations")
    .select("email_key")
    .where("user_id", "=", userId)
    .where(({ eb, or, selectFrom }) =>
      or([
        eb("id", "in", selectFrom("masks").select("destination_id").where("masks.id", "=", maskId)),
        eb(
          "id",
          "in",
          selectFrom("mask_destinations").select("destination_id").where("mask_id", "=", maskId),
        ),
      ]),
    )
    .execute();
  return new Set(rows.map(({ email_key: key }) => key));
};

/**
 * Stores where the mail of a mask goes besides its first destination. A new address gets a mail with a link to confirm
 * it, and no mail before that. Returns whether such a mail was sent.
 */
export const saveFurtherDestinations = async (
  db: Db,
  deps: MaskDeps,
  author: DestinationAuthor,
  { maskId, destinations: [first, ...others], before = new Set() }: MaskDestinations,
): Promise<boolean> => {
  const rest = distinct(others).filter((one) => !isSameMailbox(one, first ?? ""));
  await db.deleteFrom("mask_destinations").where("mask_id", "=", maskId).execute();
  let isConfirmationSent = false;
  for (const [position, email] of rest.entries()) {
    const destination = await resolveDestination(db, deps, author, { forwardTo: email, before });
    isConfirmationSent ||= destination.isConfirmationSent;
    await db
      .insertInto("mask_destinations")
      .values({ mask_id: maskId, destination_id: destination.id, user_id: author.userId, position })
      .execute();
  }
  return isConfirmationSent;
};

/** Replaces a user's mailbox `from` among the further destinations of their masks by the destination `to`. */
export const redirectFurtherDestinations = async (
  db: Db,
  userId: string,
  { from, to }: { readonly from: MailboxKey; readonly to: string },
): Promise<void> => {
  const before = db
    .selectFrom("destinations")
    .select("id")
    .where("user_id", "=", userId)
    .where("email_key", "=", from);
  await db
    .updateTable("mask_destinations")
    .set({ destination_id: to })
    .where("user_id", "=", userId)
    .where("destination_id", "in", before)
    .where("mask_id", "not in", (e) =>
      e.selectFrom("mask_destinations").select("mask_id").where("destination_id", "=", to),
    )
    .execute();
  await db
    .deleteFrom("mask_destinations")
    .where("user_id", "=", userId)
    .where(({ eb, or }) =>
      or([
        eb("destination_id", "in", before),
        eb("mask_id", "in", (e) => e.selectFrom("masks").select("id").where("destination_id", "=", to)).and(
          "destination_id",
          "=",
          to,
        ),
      ]),
    )
    .execute();
};
