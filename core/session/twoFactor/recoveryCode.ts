import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { type Problem, problemOf } from "../../api/errorMessages.ts";
import { decodeInput } from "../../api/fieldErrors.ts";
import { requiredText } from "../../api/textCodecs.ts";

/** A code that replaces the authenticator once: letters and digits, as in "k3v9d-8m2qa". */
export type RecoveryCode = string;

/** The number of recovery codes that a user gets at once. */
export const recoveryCodeCount = 10;

/** The characters of recovery codes: Crockford's base 32 in lower case, without similar letters and digits. */
export const recoveryAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** The number of characters on each side of the hyphen. */
export const recoveryCodeHalfLength = 5;

const codePattern = new RegExp(
  `^([${recoveryAlphabet}]{${recoveryCodeHalfLength}})([${recoveryAlphabet}]{${recoveryCodeHalfLength}})$`,
);

/** Parses user input as a recovery code, in any case and with or without the hyphen; null when it is invalid. */
export const parseRecoveryCode = (input: string): RecoveryCode | null => {
  const plain = input.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
  const halves = codePattern.exec(plain);
  return halves === null ? null : `${halves[1]}-${halves[2]}`;
};

const malformed = `A recovery code has ${2 * recoveryCodeHalfLength} letters and digits, as in k3v9d-8m2qa`;

const text = requiredText("Recovery code is required");

/** Decodes user input to a recovery code in its canonical form. */
export const RecoveryCode: t.Type<RecoveryCode, string, unknown> = new t.Type(
  "recovery code",
  (u): u is RecoveryCode => typeof u === "string" && parseRecoveryCode(u) === u,
  (u, context) => {
    const typed = text.validate(u, context);
    if (typed._tag === "Left") return typed;
    const code = parseRecoveryCode(typed.right);
    return code === null ? t.failure(u, context, malformed) : t.success(code);
  },
  (code) => code,
);

/** Wraps `verify` so that it validates the input as a recovery code first. */
export const withRecoveryCode =
  (verify: (code: RecoveryCode) => TE.TaskEither<Problem, void>) =>
  (typed: string): TE.TaskEither<Problem, void> =>
    pipe(
      decodeInput(t.type({ code: RecoveryCode }), { code: typed }),
      TE.mapLeft(problemOf("verifyTwoFactor")),
      TE.chain(({ code }) => verify(code)),
    );
