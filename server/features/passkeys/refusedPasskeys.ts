import { dayMs } from "../../../core/kernel/durations.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { countCode, readCodeCount } from "../codes/codeCountQueries.ts";
import type { CodeNetwork } from "../codes/codeNetwork.ts";
import type { ServerContext } from "../serverContext.ts";
import { refusedOfNetwork } from "./passkeyLimits.ts";

/** Why a passkey does not log in; the log names it, the answer to a stranger is one of few sentences. */
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
    "Too many passkeys were refused. Please use a code, or try again in an hour.",
    {
      retryAfterS: refusedOfNetwork.withinMs / 1_000,
    },
  );

/** The refused passkeys, in the store: their limit holds for all processes and across restarts. */
export interface RefusedPasskeys {
  /** Throws a 429 while a network may not try. */
  readonly assertMayTry: (network: CodeNetwork) => Promise<void>;
  readonly record: (network: CodeNetwork, reason: PasskeyRefusal) => Promise<void>;
}

export const createRefusedPasskeys = ({
  database,
  hash,
  clock,
  log,
}: Pick<ServerContext, "database" | "hash" | "clock" | "log">): RefusedPasskeys => {
  const keyOf = (network: CodeNetwork): string => hash("refused-passkeys", network.name);
  return {
    assertMayTry: async (network) => {
      const { count, nextAt } = await readCodeCount(database.db, keyOf(network), clock.now());
      if (count >= refusedOfNetwork.most && nextAt > clock.now()) throw tooMany();
    },
    record: (network, reason) => {
      log.info({ reason }, "a passkey was refused");
      return database.transaction(async (db) => {
        const now = clock.now();
        const key = keyOf(network);
        const { withinMs, most } = refusedOfNetwork;
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
