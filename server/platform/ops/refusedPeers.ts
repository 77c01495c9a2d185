import type { Log } from "./log.ts";
import { networkOf, plainAddress } from "./networkOf.ts";

/** The attempt of a stranger that was refused: a recipient of a mail, a sign-in on the page, or the login of a mail program. */
export type RefusedAttempt = "recipient" | "sign-in" | "submission";

/**
 * Logs that a stranger was refused, in the one line that has the address of a connection, for programs that lock such
 * addresses out. `deploy/fail2ban/` reads its fields in this order: they never change.
 */
export const logRefusedPeer = (log: Log, refused: RefusedAttempt, address: string): void =>
  log.info({ refused, ip: plainAddress(address), network: networkOf(address) }, "a stranger was refused");
