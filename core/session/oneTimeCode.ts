import { distinctUntilChanged, EMPTY, interval, type Observable, type SchedulerLike, switchMap } from "rxjs";
import { codeCodec, codeDigits, isOneTimeCode, refined, requiredText } from "../api/textCodecs.ts";
import { minuteMs } from "../kernel/durations.ts";

/** A code of digits as text, because leading zeros count. */
export type OneTimeCode = string;

/** The sign-in code from the mail. */
export const SignInCode = codeCodec("Verification code");

/** The code of the authenticator. */
export const TwoFactorCode = codeCodec("2FA code");

/** The second factor: a code of the authenticator, or possibly a recovery code (`recoveryCode.ts`). */
export const SecondFactor = refined(
  requiredText("2FA code is required"),
  (text) => isOneTimeCode(text) || /^[\da-z]{5}[ -]?[\da-z]{5}$/i.test(text),
  `2FA code must be ${codeDigits} digits`,
);

/** The code that the existence check sends; it is never valid (SI12). */
export const probeCode: OneTimeCode = "0".repeat(codeDigits);

/** The time for which a sign-in code can be entered, in milliseconds. */
export const codeLifetimeMs = 10 * minuteMs;

/** The time that a user may take to enter the second factor after the right code, in milliseconds. */
export const secondFactorLifetimeMs = 5 * minuteMs;

/** The time that a new user may take to choose a plan after the right code, in milliseconds. */
export const ticketLifetimeMs = 30 * minuteMs;

/** The time after a code in which no other one can be requested, in milliseconds. */
export const resendAfterMs = 30_000;

/** Returns the seconds until `resendAt`, rounded up; both times are in milliseconds since 1970. */
export const secondsUntil = (resendAt: number, now: number): number =>
  Math.max(0, Math.ceil((resendAt - now) / 1_000));

/** Returns the seconds to show a second later; a clock that was set back does not make the wait longer. */
export const secondsAfterTick = (shown: number, resendAt: number, now: number): number =>
  Math.min(Math.max(0, shown - 1), secondsUntil(resendAt, now));

/** Emits each second while `resendAt$` is not null. */
export const countdown = (
  resendAt$: Observable<number | null>,
  scheduler: SchedulerLike,
): Observable<unknown> =>
  resendAt$.pipe(
    distinctUntilChanged(),
    switchMap((resendAt) => (resendAt === null ? EMPTY : interval(1_000, scheduler))),
  );
