import { dayMs, minuteMs } from "../../../core/kernel/durations.ts";

/** The time for which an invitation can be used. */
export const invitationDays = 7;
export const invitationLifetimeMs = invitationDays * dayMs;
/** The time that a sign-in at the identity provider may take. */
export const signOnWithinMs = 10 * minuteMs;
/** The time that the page may take to exchange the ticket of a sign-in by the provider. */
export const signOnTicketMs = minuteMs;
/** The time for which a browser is known after a sign-in. */
export const knownBrowserMs = 180 * dayMs;
/** The time for which an access token is valid (D41). */
export const accessTokenLifetimeMs = 15 * minuteMs;
/** The time for which a session and its cookies last after the sign-in or the last refresh. */
export const sessionLifetimeMs = 7 * dayMs;
/** The time for which the previous secret stays valid after a refresh, for tabs that refresh at the same time. */
export const refreshGraceMs = 30_000;
/**
 * The time for which a checked token and cookie are accepted without another check, unless the session ends. A secret that is
 * replaced in that time is within its grace, because it is not replaced twice in that time.
 */
export const recentCheckMs = 5_000;
/** The minimum time between two updates of the last use of a session. */
export const recordUseEveryMs = 5 * minuteMs;
/** The time for which a new secret waits for the first code of its authenticator. */
export const twoFactorSetupLifetimeMs = 30 * minuteMs;
