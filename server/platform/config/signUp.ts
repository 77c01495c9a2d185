import { isLoopbackOrigin } from "./loopbackOrigin.ts";
import { addresses, addressesAndDomains, oneOf, type Read } from "./settings.ts";

const signUpModes = ["open", "invite", "closed"] as const;
export type SignUpMode = (typeof signUpModes)[number];

/** Who may create an account on this server (D52). */
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
  const operators = read("OPERATORS", addresses) ?? [];
  const allowed = read("SIGN_UP_ALLOW", addressesAndDomains) ?? [];
  const mode = read("SIGN_UP", oneOf(signUpModes)) ?? (isLoopbackOrigin(publicUrl) ? "open" : "invite");
  return { signUp: { mode, allowed: [...allowed, ...operators] }, operators };
};
