import { dayMs, minuteMs } from "../../../core/kernel/durations.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { countCode, readCodeCount } from "../signInCodes/codeCountQueries.ts";
import type { CodeNetwork } from "../signInCodes/codeNetwork.ts";
import { mostRefused } from "./passkeyLimits.ts";

/** The reason for which a passkey does not log in; the log names it, the answer to a stranger is one of few sentences. */
export type PasskeyRefusal =
  | "unreadable"
  | "challenge"
  | "origin"
  | "unknown"
  | "owner"
  | "signature"
  | "counter"
  | "unverified";

const tooMany = (): UseCaseError =>
  new UseCaseError(
    "too-often",
    `Too many passkeys were refused. Use a code, or try again in ${mostRefused.withinMs / minuteMs} minutes.`,
    { retryAfterS: mostRefused.withinMs / 1_000 },
  );

/** The client that shows a passkey. */
export interface PasskeyUser {
  /** The user whom it has to belong to; null for a sign-in, which finds its user by it. */
  readonly userId: string | null;
  readonly network: CodeNetwork;
}

/** The refused passkeys, in the store: their limit holds for all processes and across restarts. */
export interface RefusedPasskeys {
  /** Throws a 429 while a network may not try to sign in, or a signed-in user to prove anything. */
  readonly assertMayTry: (by: PasskeyUser) => Promise<void>;
  readonly record: (by: PasskeyUser, reason: PasskeyRefusal) => Promise<void>;
}

export const createRefusedPasskeys = ({
  database,
  hash,
  clock,
  log,
}: Pick<ServerContext, "database" | "hash" | "clock" | "log">): RefusedPasskeys => {
  // Strangers of a network use up nothing of the users who are signed in from it.
  const keyOf = ({ userId, network }: PasskeyUser): string =>
    userId === null ? hash("refused-passkeys", network.name) : hash("refused-passkeys", "user", userId);
  return {
    assertMayTry: async (by) => {
      const { count, nextAt } = await readCodeCount(database.db, keyOf(by), clock.now());
      if (count >= mostRefused.most && nextAt > clock.now()) throw tooMany();
    },
    record: (by, reason) => {
      log.info({ reason }, "a passkey was refused");
      return database.transaction(async (db) => {
        const now = clock.now();
        const key = keyOf(by);
        const { withinMs, most } = mostRefused;
        const count = await countCode(db, { key, kind: "passkeys", withinMs }, now);
        if (count >= most)
          await db
            .updateTable("code_counts")
            .set({ next_at: now + withinMs })
            .where("key", "=", key)
            .execute();
        const all = hash("refused-passkeys");
        await countCode(db, { key: all, kind: "all-passkeys", withinMs: dayMs }, now);
      });
    },
  };
};
