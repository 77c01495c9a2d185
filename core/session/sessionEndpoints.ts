import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { htmlEscaped } from "../api/textCodecs.ts";
import { emailAddress } from "../mail/emailAddress.ts";
import { Tier } from "../tiers/tier.ts";
import { SecondFactor, SignInCode } from "./oneTimeCode.ts";
import { User } from "./user.ts";

/** The address in the sign-in form. */
export const SignInEmail = emailAddress({
  required: "Email is required",
  invalid: "Please enter a valid email address",
});

const email = htmlEscaped(SignInEmail);

/** A new session and its user. */
export const SignedIn = t.type({ token: t.string, user: User });
export type SignedIn = t.TypeOf<typeof SignedIn>;

/** The status of a sign-in response that requires the choice of a plan. */
export const planSelectionRequired = "plan_selection_required";

/** All forms of the response to PUT /login; `signInCalls.ts` distinguishes them. */
export const LoginAnswer = t.partial({
  token: t.string,
  user: User,
  tempToken: t.string,
  requires2FA: t.boolean,
  status: t.string,
  /** Whether a new user needs an invitation to create the account. */
  needsInvitation: t.boolean,
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

/** Creates the account of a user who has verified the mailbox and chosen a plan. */
export const signUp = endpoint("POST", "/signup", {
  authentication: "none",
  body: t.intersection([
    t.type({ tempToken: t.string, tier: Tier }),
    t.partial({ checkoutSessionId: t.string, invitation: t.string }),
  ]),
  answer: LoginAnswer,
});

export const logOut = endpoint("POST", "/logout", { authentication: "none" });

const Refreshed = t.type({ token: t.string });

/** Refreshes the token by the httpOnly cookie; `refreshToken` does the same under another path (SE6). */
export const refreshByCookie = endpoint("POST", "/auth/refresh-token", {
  authentication: "none",
  answer: Refreshed,
});
export const refreshToken = endpoint("POST", "/refresh-token", {
  authentication: "none",
  answer: Refreshed,
});

/** Sets the token as a cookie; `maxAge` is in seconds. */
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
