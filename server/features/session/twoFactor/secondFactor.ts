import { Secret, TOTP } from "otpauth";
import { codeDigits } from "../../../../core/api/textCodecs.ts";
import type { Random } from "../../../../core/ports/random.ts";
import type { OneTimeCode } from "../../../../core/session/oneTimeCode.ts";
import {
  parseRecoveryCode,
  type RecoveryCode,
  recoveryAlphabet,
  recoveryCodeCount,
  recoveryCodeHalfLength,
} from "../../../../core/session/twoFactor/recoveryCode.ts";
import { fieldError, type UseCaseErrorKind } from "../../../platform/errors/useCaseError.ts";
import type { KeyedHash } from "../../../platform/ops/keyedHash.ts";
import type { Seal } from "../../../platform/ops/secrets.ts";
import type { Db } from "../../../platform/store/database.ts";
import { appendEvent } from "../../../platform/store/events.ts";
import { findUser } from "../../../platform/store/users.ts";
import type { CodeGuess, WrongCodes } from "../../signInCodes/wrongCodes.ts";
import { acceptTimeStep, consumeRecoveryCode, findTwoFactor } from "./twoFactorQueries.ts";

/** Supported by all authenticator apps: SHA-1, 6 digits, 30 seconds (RFC 6238). */
const totpParameters = { algorithm: "SHA1", digits: codeDigits, period: 30 } as const;
const periodMs = totpParameters.period * 1_000;
/** Accepted time steps before and after the current one, to tolerate clock differences (RFC 6238, 5.2). */
const totpWindow = 1;

/** The secret has 160 bits, the length of the hash (RFC 4226, 4). */
export const totpSecretBytes = 20;

/** Encodes a secret as base 32 text (RFC 4648), which users can type. */
export const encodeSecret = (bytes: Uint8Array): string =>
  new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32;

/** Returns the otpauth URI for the QR code: the secret and its label in the authenticator. */
export const setupUri = (
  secret: string,
  { issuer, label }: { readonly issuer: string; readonly label: string },
) => new TOTP({ ...totpParameters, issuer, label, secret: Secret.fromBase32(secret) }).toString();

/** Returns the time step of a code if it is the current, previous, or next one; otherwise null. */
export const matchStep = (secret: string, code: OneTimeCode, now: number): number | null => {
  const totp = new TOTP({ ...totpParameters, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: totpWindow });
  return delta === null ? null : Math.floor(now / periodMs) + delta;
};

const newRecoveryCode = (random: Random): RecoveryCode => {
  const drawn = [...random.bytes(2 * recoveryCodeHalfLength)]
    .map((byte) => recoveryAlphabet[byte & 31])
    .join("");
  return `${drawn.slice(0, recoveryCodeHalfLength)}-${drawn.slice(recoveryCodeHalfLength)}`;
};

/** Creates different recovery codes of 50 random bits each. */
export const newRecoveryCodes = (random: Random): readonly RecoveryCode[] => {
  const codes = new Set<RecoveryCode>();
  while (codes.size < recoveryCodeCount) codes.add(newRecoveryCode(random));
  return [...codes];
};

/** Returns the encryption context of a user's authenticator secret. */
export const secretContext = (userId: string): string => `two-factor ${userId}`;

export interface ConsumeFactorDeps {
  readonly hash: KeyedHash;
  readonly seal: Seal;
  readonly wrongCodes: Pick<WrongCodes, "record" | "assertMayTry" | "forgive">;
}

/** The client that tries a second factor: the network or known browser of a sign-in, or a session. */
export type FactorClient = Pick<CodeGuess, "client" | "isKnown">;

/** The client of a signed-in user. */
const inSession: FactorClient = { client: "session", isKnown: true };

const guessOf = (userId: string, client: FactorClient): CodeGuess => ({
  account: `factor ${userId}`,
  ...client,
});

/**
 * Counts a try of a second factor before it is checked; `consumeFactor` takes that back when it is right. Rejects with
 * 429 beyond the limits of wrong codes. Call it outside the transaction.
 */
export type CountFactorTry = (userId: string, client?: FactorClient) => Promise<void>;

export const createCountFactorTry =
  ({ wrongCodes }: Pick<ConsumeFactorDeps, "wrongCodes">): CountFactorTry =>
  async (userId, client = inSession) => {
    const guess = guessOf(userId, client);
    await wrongCodes.assertMayTry(guess);
    await wrongCodes.record(guess, (db) => findUser(db, userId));
  };

/** A try of a second factor. */
export interface FactorAttempt {
  readonly userId: string;
  readonly code: string;
  readonly now: number;
  /** The field of the request; "code" by default. */
  readonly field?: string;
  /** As it was counted; a session by default. */
  readonly client?: FactorClient;
}

type FactorKind = "authenticator" | "recovery-code";

/**
 * Creates the function that consumes a second factor inside a transaction; each code works once. Rejects with
 * an error of `kind` and a message for the field when it is wrong.
 */
export const createConsumeFactor = (deps: ConsumeFactorDeps) => {
  const check = createCheckFactor(deps);
  return async (db: Db, attempt: FactorAttempt, kind: UseCaseErrorKind): Promise<FactorKind> => {
    const factor = await check(db, attempt, kind);
    await deps.wrongCodes.forgive(db, guessOf(attempt.userId, attempt.client ?? inSession));
    return factor;
  };
};

const createCheckFactor =
  ({ hash, seal }: ConsumeFactorDeps) =>
  async (
    db: Db,
    { userId, code, now, field = "code" }: FactorAttempt,
    kind: UseCaseErrorKind,
  ): Promise<FactorKind> => {
    const recoveryCode = parseRecoveryCode(code);
    if (recoveryCode !== null) {
      if (!(await consumeRecoveryCode(db, userId, hash("recovery", userId, recoveryCode))))
        throw fieldError(kind, field, "Invalid recovery code. Each of them works once.");
      // Other pages of the account show how many are left.
      await appendEvent(db, { userId, resource: "account", resourceId: null, action: "updated" }, now);
      return "recovery-code";
    }
    const row = await findTwoFactor(db, userId);
    const step = row?.verified_at ? matchStep(seal.open(row.secret, secretContext(userId)), code, now) : null;
    if (step === null)
      throw fieldError(kind, field, "Invalid 2FA code. Enter the one that your authenticator shows now.");
    if (!(await acceptTimeStep(db, userId, step)))
      throw fieldError(kind, field, "This code was used already. Wait for the next one.");
    return "authenticator";
  };

export type ConsumeFactor = ReturnType<typeof createConsumeFactor>;
