import { proofField, recentProofMs } from "../../../core/session/recentProof.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, invalidSession } from "../../platform/errors/useCaseError.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";

/**
 * Rejects with 403 unless a session began, or its user has confirmed that it is them, within five minutes: what only the user
 * may change who holds the account, and not just an open session. Rejects with 401 when it has ended since it was authenticated.
 */
export const assertRecentlyProven = async (db: Db, sessionId: string, now: number): Promise<void> => {
  const session = await db
    .selectFrom("sessions")
    .select(["created_at", "proven_at"])
    .where("id", "=", sessionId)
    .executeTakeFirst();
  if (!session) throw invalidSession();
  const provenAt = Number(session.proven_at ?? session.created_at);
  if (now - provenAt > recentProofMs)
    throw fieldError("forbidden", proofField, "Confirm that it is you, then try again.");
};

/** Creates the check of a session for the routes. */
export const createAssertRecentlyProven =
  ({ database, clock }: Pick<ServerContext, "database" | "clock">) =>
  ({ callerId }: Pick<AuthContext, "callerId">): Promise<void> =>
    assertRecentlyProven(database.db, callerId, clock.now());

/** Records that the user of a session has confirmed that it is them. */
export const recordProof = async (db: Db, sessionId: string, now: number): Promise<void> => {
  await db.updateTable("sessions").set({ proven_at: now }).where("id", "=", sessionId).execute();
};
