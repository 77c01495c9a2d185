import type { SignInWay } from "../../../core/session/signInWay.ts";
import type { KeyedHash } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import type { SignInResult } from "./completeSignIn.ts";

/** Records how a session began, for the figures of the operator; by a code where nothing is recorded. */
export const recordSessionWay = async (db: Db, sessionId: string, way: SignInWay): Promise<void> => {
  await db.updateTable("sessions").set({ way }).where("id", "=", sessionId).execute();
};

/** Records how a sign-in began, in its session or for the one that follows its second factor. */
export const recordSignInWay = async (
  db: Db,
  { result, way, hash }: { readonly result: SignInResult; readonly way: SignInWay; readonly hash: KeyedHash },
): Promise<void> => {
  if (result.kind === "signed-in") return recordSessionWay(db, result.credentials.sessionId, way);
  await db
    .updateTable("second_factor_tickets")
    .set({ way })
    .where("token_hash", "=", hash("second-factor", result.ticket))
    .execute();
};

/** Returns how the sign-in began that a ticket for the second factor belongs to. */
export const findTicketWay = async (db: Db, tokenHash: string): Promise<SignInWay> => {
  const row = await db
    .selectFrom("second_factor_tickets")
    .select("way")
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  return row?.way ?? "code";
};

/** Counts the open sessions by how they began. */
export const countSessionWays = async (
  db: Db,
  now: number,
): Promise<readonly { readonly way: SignInWay; readonly count: number }[]> => {
  const rows = await db
    .selectFrom("sessions")
    .where("expires_at", ">", now)
    .groupBy("way")
    .select(({ fn }) => ["way", fn.countAll().as("count")])
    .execute();
  return rows.map(({ way, count }) => ({ way, count: Number(count) }));
};
