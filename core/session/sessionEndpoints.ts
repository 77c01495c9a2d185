import * as t from "io-ts";
import { User } from "../account/user.ts";
import { endpoint } from "../contract/endpoint.ts";
import { htmlEscaped } from "../contract/htmlEscaped.ts";
import { emailAddress } from "../mail/emailAddress.ts";
import { Tier } from "../tiers/tier.ts";
import { SecondFactor, SignInCode } from "./oneTimeCode.ts";

/** The address in the sign-in form (SI2). */
export const SignInEmail = emailAddress({
  required: "Email is required",
  invalid: "Please enter a valid email address",
});

const email = htmlEscaped(SignInEmail);

/** What an address and a code, or a ticket, are exchanged for (SI9). */
export const SignedIn = t.type({ token: t.string, user: User });
export type SignedIn = t.TypeOf<typeof SignedIn>;

/** The server's own words for a plan still to be chosen (A3). */
export const planSelectionRequired = "plan_selection_required";

/** Everything PUT /login may answer; which of them it is, `signInAnswer.ts` tells. */
export const LoginAnswer = t.partial({
  token: t.string,
  user: User,
  tempToken: t.string,
  requires2FA: t.boolean,
  status: t.string,
});
export type LoginAnswer = t.TypeOf<typeof LoginAnswer>;

export const requestCode = endpoint("POST", "/login", {
  authentication: "none",
  body: t.type({ email }),
  answer: t.partial({ message: t.string }),
});

export const verifyCode = endpoint("PUT", "/login", {
  authentication: "none",
  body: t.type({ email, otp: htmlEscaped(SignInCode) }),
  answer: LoginAnswer,
});

export const verifyTwoFactor = endpoint("POST", "/login/verify2fa", {
  authentication: "none",
  body: t.type({ email, code: htmlEscaped(SecondFactor), tempToken: t.string }),
  answer: LoginAnswer,
});

/** Makes the account of a user who has proved the mailbox and chosen a plan (D36). */
export const signUp = endpoint("POST", "/signup", {
  authentication: "none",
  body: t.intersection([
    t.type({ tempToken: t.string, tier: Tier }),
    t.partial({ checkoutSessionId: t.string }),
  ]),
  answer: LoginAnswer,
});

export const logOut = endpoint("POST", "/logout", { authentication: "none" });

const Refreshed = t.type({ token: t.string });

/** By the httpOnly cookie alone; both paths do the same (SE6). */
export const refreshByCookie = endpoint("POST", "/auth/refresh-token", {
  authentication: "none",
  answer: Refreshed,
});
export const refreshToken = endpoint("POST", "/refresh-token", {
  authentication: "none",
  answer: Refreshed,
});

/** 200 is success (SE8). `maxAge` in seconds. */
export const setTokenCookie = endpoint("POST", "/auth/set-token-cookie", {
  authentication: "none",
  body: t.intersection([t.type({ token: t.string }), t.partial({ maxAge: t.number })]),
});
export const validateToken = endpoint("GET", "/auth/validate-token");
export const clearToken = endpoint("POST", "/auth/clear-token", { authentication: "none" });

export const getCsrfToken = endpoint("GET", "/csrf-token", {
  authentication: "none",
  answer: t.partial({ csrfToken: t.string }),
});
