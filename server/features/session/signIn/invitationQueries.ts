import type { Random } from "../../../../core/ports/random.ts";
import { type KeyedHash, newSecret } from "../../../platform/ops/keyedHash.ts";
import type { Db } from "../../../platform/store/database.ts";
import { invitationLifetimeMs } from "../lifetimes.ts";

/** Returns the address of the app that an invited person opens. The fragment never reaches a server or its log. */
export const invitationLink = (publicUrl: string, token: string): string =>
  `${publicUrl}/login#invite=${token}`;

/** Creates an invitation and returns its token, which is stored as a hash only. */
export const createInvitation = async (
  db: Db,
  { hash, random, now }: { readonly hash: KeyedHash; readonly random: Random; readonly now: number },
): Promise<{ readonly token: string; readonly expiresAt: number }> => {
  const token = newSecret(random);
  const expiresAt = now + invitationLifetimeMs;
  await db
    .insertInto("invitations")
    .values({ token_hash: hash("invitation", token), created_at: now, expires_at: expiresAt })
    .execute();
  return { token, expiresAt };
};

/** Consumes an invitation; false when it is unknown, used or expired. */
export const consumeInvitation = async (db: Db, tokenHash: string, now: number): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("invitations")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

export const pruneInvitations = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("invitations").where("expires_at", "<=", now).execute();
};
