import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { htmlEscaped } from "../api/textCodecs.ts";
import { completed, openAnswer } from "../api/wireCodecs.ts";
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

/** The status of a sign-in response that requires a code, which was sent to the address. */
export const codeRequired = "code_required";

/** All forms of the response to PUT /login; `signInCalls.ts` distinguishes them. */
export const LoginAnswer = completed(
  t.partial({
    token: t.string,
    user: User,
    tempToken: t.string,
    requires2FA: t.boolean,
    status: t.string,
    /** True if a new user needs an invitation to create the account. */
    needsInvitation: t.boolean,
    /** The address that the next step is about, where the client did not send it. */
    email: t.string,
  }),
  (given) => given,
);
export type LoginAnswer = t.TypeOf<typeof LoginAnswer>;

/**
 * Sends a sign-in code of 6 digits to the address; the answer is the same for an unknown one. 403 where the server does not log in by
 * codes.
 */
export const requestCode = endpoint("POST", "/login", {
  authentication: "none",
  body: t.type({ email }),
  answer: openAnswer(t.partial({ message: t.string })),
});

/**
 * Signs in with the code: a token and the user, or what is still missing (second factor, plan). 401 for a wrong code, 403 for a
 * suspended account, and for a new one where the server takes none.
 */
export const verifyCode = endpoint("PUT", "/login", {
  authentication: "none",
  body: t.type({ email, otp: htmlEscaped(SignInCode) }),
  answer: LoginAnswer,
});

/**
 * Signs in with the token of a link that the server's operator has made (`bauta user link`), which replaces the code. 401 for a used or
 * expired one, 403 for a suspended account.
 */
export const openSignInLink = endpoint("POST", "/login/link", {
  authentication: "none",
  body: t.type({ token: t.string }),
  answer: LoginAnswer,
});

/**
 * Signs in with the ticket that the identity provider's answer has led to, in the browser that it was made for. Where the
 * account is not connected with it yet, a code is sent to its address, and PUT /login connects them. 401 for a used or expired ticket,
 * 403 for a suspended account, and for a new one where the server takes none; 404 where the server has no identity provider.
 */
export const openSignOnTicket = endpoint("POST", "/login/oidc/ticket", {
  authentication: "none",
  body: t.type({ ticket: t.string }),
  answer: LoginAnswer,
});

/**
 * Completes a sign-in by a code of the second factor or a recovery code; `tempToken` is that of PUT /login. 401 for a wrong code, and
 * for a sign-in that has expired; 403 for a suspended account.
 */
export const verifyTwoFactor = endpoint("POST", "/login/verify2fa", {
  authentication: "none",
  body: t.type({ email, code: htmlEscaped(SecondFactor), tempToken: t.string }),
  answer: LoginAnswer,
});

/**
 * Creates the account of a user who has verified the mailbox and chosen a plan. 401 when the sign-up has expired, 402 for a plan that is
 * not paid, 403 without the invitation that the server needs; 502 when the payment provider does not answer.
 */
export const signUp = endpoint("POST", "/signup", {
  authentication: "none",
  body: t.intersection([
    t.type({ tempToken: t.string, tier: Tier }),
    t.partial({ checkoutSessionId: t.string, invitation: t.string }),
  ]),
  answer: LoginAnswer,
});

/** Ends the session and deletes its cookie; succeeds without a session too. */
export const logOut = endpoint("POST", "/logout", { authentication: "none" });

const Refreshed = t.type({ token: t.string });

/** Does the same as `POST /refresh-token` (SE6); 401 without a valid cookie. */
export const refreshByCookie = endpoint("POST", "/auth/refresh-token", {
  authentication: "none",
  answer: Refreshed,
});
/** Exchanges the httpOnly cookie of the session for a token; 401 without a valid one. */
export const refreshToken = endpoint("POST", "/refresh-token", {
  authentication: "none",
  answer: Refreshed,
});

/** Sets the cookie of the session again, for a token of it, else 401; `maxAge` is in seconds. */
export const setTokenCookie = endpoint("POST", "/auth/set-token-cookie", {
  authentication: "none",
  body: t.intersection([t.type({ token: t.string }), t.partial({ maxAge: t.number })]),
});
/** Returns 200 while the session is valid, else 401. */
export const validateToken = endpoint("GET", "/auth/validate-token");
/** Does the same as `POST /logout`. */
export const clearToken = endpoint("POST", "/auth/clear-token", { authentication: "none" });

/** Sets the CSRF token as a cookie and returns it. */
export const getCsrfToken = endpoint("GET", "/csrf-token", {
  authentication: "none",
  answer: openAnswer(t.partial({ csrfToken: t.string })),
});
