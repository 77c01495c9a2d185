import { isLoopbackOrigin } from "./loopbackOrigin.ts";
import type { Read } from "./settingReaders.ts";
import { settingTable as settings } from "./settingTable.ts";

export type SignUpMode = "open" | "invite" | "closed";

/** The conditions for creating an account on this server (D52). */
export interface SignUpPolicy {
  readonly mode: SignUpMode;
  /** Addresses and domains, in lower case, that may always sign up. */
  readonly allowed: readonly string[];
}

/**
 * Reads who may sign up and who sees the operator's page. Without SIGN_UP sign-up is open while only this
 * machine reaches the app, otherwise by invitation.
 */
export const readSignUp = (
  read: Read,
  publicUrl: string,
): {
  readonly signUp: SignUpPolicy;
  /** The addresses of the accounts that may open the operator's page. */
  readonly operators: readonly string[];
} => {
  const operators = read(settings.OPERATORS) ?? [];
  const allowed = read(settings.SIGN_UP_ALLOW) ?? [];
  const mode = read(settings.SIGN_UP) ?? (isLoopbackOrigin(publicUrl) ? "open" : "invite");
  return { signUp: { mode, allowed: [...allowed, ...operators] }, operators };
};
