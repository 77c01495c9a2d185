import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { decoded } from "../contract/decoded.ts";
import { requiredText } from "../contract/text.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";

/** Takes the place of the authenticator once, when that is lost: ten letters and digits, as in "k3v9d-8m2qa". */
export type RecoveryCode = string;

/** Letters and digits that are not mistaken for one another: base 32 as Crockford wrote it down, in lower case. */
export const recoveryAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** How many characters stand on each side of the hyphen. */
export const recoveryHalf = 5;

const written = new RegExp(
  `^([${recoveryAlphabet}]{${recoveryHalf}})([${recoveryAlphabet}]{${recoveryHalf}})$`,
);

/** The code in what was typed, whatever the case, with or without its hyphen; null when there is none. */
export const recoveryCodeIn = (typed: string): RecoveryCode | null => {
  const plain = typed.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
  const halves = written.exec(plain);
  return halves === null ? null : `${halves[1]}-${halves[2]}`;
};

const malformed = "A recovery code has 10 letters and digits, as in k3v9d-8m2qa";

const text = requiredText("Recovery code is required");

/** One of the codes that were shown when two-factor authentication was turned on. */
export const RecoveryCode: t.Type<RecoveryCode, string, unknown> = new t.Type(
  "recovery code",
  (u): u is RecoveryCode => typeof u === "string" && recoveryCodeIn(u) === u,
  (u, context) => {
    const typed = text.validate(u, context);
    if (typed._tag === "Left") return typed;
    const code = recoveryCodeIn(typed.right);
    return code === null ? t.failure(u, context, malformed) : t.success(code);
  },
  (code) => code,
);

/** Looks at what was typed as a recovery code before it goes the way of a second factor. */
export const asRecoveryCode =
  (verify: (code: RecoveryCode) => TE.TaskEither<Problem, void>) =>
  (typed: string): TE.TaskEither<Problem, void> =>
    pipe(
      decoded(t.type({ code: RecoveryCode }), { code: typed }),
      TE.mapLeft(problemOf("verifyTwoFactor")),
      TE.chain(({ code }) => verify(code)),
    );
