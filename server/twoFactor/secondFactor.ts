import { recoveryCodeIn } from "../../core/session/recoveryCode.ts";
import { refusedField } from "../http/refusal.ts";
import type { KeyedHash } from "../identity/keyedHash.ts";
import type { Seal } from "../seal.ts";
import type { Db } from "../store/database.ts";
import { takeRecoveryCode } from "../store/recoveryCodes.ts";
import { takeStep, twoFactorOf } from "../store/twoFactors.ts";
import { stepOf } from "./totp.ts";

/** Under which name a user's secret is sealed. */
export const secretOf = (userId: string): string => `two-factor ${userId}`;

export interface FactorParts {
  readonly hash: KeyedHash;
  readonly seal: Seal;
}

/** A second factor that was offered: by whom, and when. */
export interface OfferedFactor {
  readonly userId: string;
  readonly code: string;
  readonly now: number;
  /** Where it stands in the request; "code" when left out. */
  readonly field?: string;
}

/** What comes of an offered factor. */
type Taken = "authenticator" | "recovery-code";

/**
 * Makes what takes a second factor inside a transaction: each code of the authenticator and each recovery code once.
 * Rejects with `status` and a sentence beside the code when it is not taken.
 */
export const makeTakeFactor =
  ({ hash, seal }: FactorParts) =>
  async (db: Db, { userId, code, now, field = "code" }: OfferedFactor, status: number): Promise<Taken> => {
    const recoveryCode = recoveryCodeIn(code);
    if (recoveryCode !== null) {
      if (await takeRecoveryCode(db, userId, hash("recovery", userId, recoveryCode))) return "recovery-code";
      throw refusedField(status, field, "Invalid recovery code. Each of them works once.");
    }
    const row = await twoFactorOf(db, userId);
    const step = row?.verified_at ? stepOf(seal.open(row.secret, secretOf(userId)), code, now) : null;
    if (step === null)
      throw refusedField(status, field, "Invalid 2FA code. Enter the one that your authenticator shows now.");
    if (!(await takeStep(db, userId, step)))
      throw refusedField(status, field, "This code was used already. Wait for the next one.");
    return "authenticator";
  };

export type TakeFactor = ReturnType<typeof makeTakeFactor>;
