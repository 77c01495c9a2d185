import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { offerKey } from "../../features/destinations/destinationKeyQueries.ts";
import { autocryptKey } from "../../mime/autocryptField.ts";
import type { MailWithHeader } from "../../mime/mailFields.ts";
import type { KeyPool } from "../../platform/openpgp/keyThreads.ts";
import type { Database } from "../../platform/store/database.ts";

export interface OwnerKeyDeps {
  readonly database: Database;
  readonly clock: Pick<Clock, "now">;
  readonly keyPool: Pick<KeyPool, "run">;
}

/** Keeps the key in a mail that its owner has written from one of these addresses, to be offered to them. Never rejects. */
export type OfferOwnerKey = (
  userId: string,
  mail: MailWithHeader,
  addresses: readonly string[],
) => Promise<void>;

/** Creates the function that keeps keys of owners; one that cannot be used is forgotten. */
export const createOfferOwnerKey =
  ({ database, clock, keyPool }: OwnerKeyDeps): OfferOwnerKey =>
  async (userId, mail, addresses) => {
    const [found] = addresses.flatMap((address) => {
      const bytes = autocryptKey(mail, address);
      return bytes ? [{ bytes, address }] : [];
    });
    if (!found) return;
    try {
      const now = clock.now();
      const key = await keyPool.run({ ...found, now }, userId);
      if (typeof key === "string") return;
      const of = { userId, emailKey: mailboxKey(found.address) };
      await database.transaction((db) => offerKey(db, of, key, now));
    } catch {
      // The mail is sent, and the next one has the key again.
    }
  };
