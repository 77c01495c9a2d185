import { createHash } from "node:crypto";
import { dayMs } from "../../../core/kernel/durations.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { autocryptKey } from "../../mime/autocryptField.ts";
import type { MailWithHeader } from "../../mime/mailFields.ts";
import type { KeyPool } from "../../platform/openpgp/keyThreads.ts";
import type { Database } from "../../platform/store/database.ts";
import { offerKey } from "../destinations/destinationKeyQueries.ts";

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

/** A program sends the same key with each mail; it is examined once a day. */
const examinedAgainMs = dayMs;
const maxRemembered = 10_000;

/** Creates the check whether a user's key was not examined lately. */
const createIsNew = (now: () => number) => {
  const examined = new Map<string, number>();
  return (userId: string, bytes: Buffer): boolean => {
    const key = `${userId} ${createHash("sha256").update(bytes).digest("base64")}`;
    const last = examined.get(key);
    if (last !== undefined && now() - last < examinedAgainMs) return false;
    if (examined.size >= maxRemembered) examined.clear();
    examined.set(key, now());
    return true;
  };
};

/** Creates the function that keeps keys of owners; one that cannot be used is forgotten. */
export const createOfferOwnerKey = ({ database, clock, keyPool }: OwnerKeyDeps): OfferOwnerKey => {
  const isNew = createIsNew(clock.now);
  return async (userId, mail, addresses) => {
    const [found] = addresses.flatMap((address) => {
      const bytes = autocryptKey(mail, address);
      return bytes ? [{ bytes, address }] : [];
    });
    if (!found || !isNew(userId, found.bytes)) return;
    try {
      const now = clock.now();
      const key = await keyPool.run({ ...found, now }, userId);
      if (typeof key === "string") return;
      const of = { userId, emailKey: mailboxKey(found.address) };
      await database.transaction((db) => offerKey(db, of, key, now));
    } catch {
      // The mail is sent, and a later one has the key again.
    }
  };
};
