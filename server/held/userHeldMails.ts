import { type HeldMail, type HeldPage, heldDays } from "../../core/held/heldMail.ts";
import { dayMs } from "../../core/kernel/durations.ts";
import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Delivery } from "../delivery/delivery.ts";
import { listConfirmedAddresses } from "../delivery/destinationQueries.ts";
import { fieldError, HttpError } from "../http/httpError.ts";
import type { RecordAnswer } from "../http/idempotency.ts";
import type { Seal } from "../ops/secrets.ts";
import type { Database, Db } from "../store/database.ts";
import type { EventFeed } from "../store/events.ts";
import { isId } from "../store/id.ts";
import {
  deleteHeldMail,
  findHeldMail,
  type HeldMailRow,
  listHeldMails,
  releaseHeldMail,
} from "./heldQueries.ts";

export interface UserHeldMailsDeps {
  readonly database: Database;
  readonly seal: Pick<Seal, "open">;
  readonly clock: Pick<Clock, "now">;
  readonly feed: Pick<EventFeed, "wake">;
  readonly delivery: Pick<Delivery, "wake">;
}

/** A user's held mail. */
export interface UserHeldMails {
  /** Returns the newest mails before a position. */
  readonly list: (
    userId: string,
    page: { readonly maskId?: string | undefined; readonly before?: string | undefined },
  ) => Promise<HeldPage>;
  /** Queues a mail again, for a confirmed address if given. Rejects with 404 when it is not held for the user. */
  readonly release: (
    userId: string,
    mail: { readonly id: string; readonly to?: string | undefined },
    recordAnswer: RecordAnswer<void>,
  ) => Promise<void>;
  /** Deletes a mail with its content. Rejects with 404 when it is not held for the user. */
  readonly remove: (userId: string, id: string, recordAnswer: RecordAnswer<void>) => Promise<void>;
}

const pageSize = 100;

/** Converts a row to the mail that clients receive. */
export const toHeldMail = ({ userId: _, heldAt, ...row }: HeldMailRow): HeldMail => ({
  ...row,
  held: new Date(heldAt).toISOString(),
  until: new Date(heldAt + heldDays * dayMs).toISOString(),
});

const notHeld = (): HttpError => new HttpError(404, "This mail is not held any more.");

/** Returns the confirmed address as its owner wrote it. */
const confirmedAddress = async (db: Db, mail: HeldMailRow, to: string): Promise<string> => {
  if (mail.direction === "sent")
    throw fieldError(400, "to", "A mail that you sent goes to its recipient only.");
  const confirmed = await listConfirmedAddresses(db, mail.userId);
  const address = confirmed.find((own) => mailboxKey(own) === mailboxKey(to));
  if (address === undefined)
    throw fieldError(
      400,
      "to",
      "Choose one of your confirmed addresses. A new one is confirmed by the link that is mailed to it.",
    );
  return address;
};

export const createUserHeldMails = (deps: UserHeldMailsDeps): UserHeldMails => {
  const { database, seal, clock, feed, delivery } = deps;
  return {
    list: async (userId, { maskId, before }) => {
      const rows = await listHeldMails(database.db, seal, userId, { maskId, before, limit: pageSize + 1 });
      return { mails: rows.slice(0, pageSize).map(toHeldMail), more: rows.length > pageSize };
    },

    release: async (userId, { id, to }, recordAnswer) => {
      await database.transaction(async (db) => {
        const mail = isId(id) ? await findHeldMail(db, seal, userId, id) : undefined;
        if (!mail) throw notHeld();
        const recipient = to === undefined ? undefined : await confirmedAddress(db, mail, to);
        if (!(await releaseHeldMail(db, { userId, id, recipient }, clock.now()))) throw notHeld();
        await recordAnswer(db);
      });
      delivery.wake();
      feed.wake();
    },

    remove: async (userId, id, recordAnswer) => {
      if (!isId(id)) throw notHeld();
      await database.transaction(async (db) => {
        if (!(await deleteHeldMail(database, db, { userId, id }, clock.now()))) throw notHeld();
        await recordAnswer(db);
      });
      feed.wake();
    },
  };
};
