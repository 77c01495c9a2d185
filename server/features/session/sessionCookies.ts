import { csrfCookie } from "../../../core/api/csrfNames.ts";
import { ticketLifetimeMs } from "../../../core/session/oneTimeCode.ts";
import { knownBrowserMs, sessionLifetimeMs, signOnWithinMs } from "./lifetimes.ts";

/** The cookies of sign-in. */
export const sessionCookies = {
  session: { name: "maskSession", isForScripts: false, ageMs: sessionLifetimeMs },
  signUp: { name: "maskSignUp", isForScripts: false, ageMs: ticketLifetimeMs },
  /** Tells a browser that has signed in from others, while somebody guesses codes. */
  browser: { name: "maskBrowser", isForScripts: false, ageMs: knownBrowserMs },
  /** The state that a browser keeps while it is at the identity provider. */
  signOnState: { name: "maskSsoState", isForScripts: false, ageMs: signOnWithinMs, sameSite: "lax" },
  /** Ties the ticket of a sign-in by the provider to the browser, then says which identity it is about. */
  signOn: { name: "maskSso", isForScripts: false, ageMs: ticketLifetimeMs },
  /** Scripts send the value back in a header (RQ2). */
  csrf: { name: csrfCookie, isForScripts: true, ageMs: sessionLifetimeMs },
} as const;
