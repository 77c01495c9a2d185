import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { type Either, left, right } from "fp-ts/lib/Either.js";
import type { AuthenticatorProblem, AuthenticatorRequest } from "../../core/ports/authenticator.ts";

const problems: Readonly<Record<string, AuthenticatorProblem>> = {
  AbortError: "cancelled",
  NotAllowedError: "cancelled",
  InvalidStateError: "known",
  SecurityError: "elsewhere",
};

const attempt = async <A>(work: () => Promise<A>): Promise<Either<AuthenticatorProblem, A>> => {
  try {
    return right(await work());
  } catch (error) {
    return left((error instanceof Error ? problems[error.name] : undefined) ?? "unavailable");
  }
};

/** Whether the browser offers passkeys among the suggestions of a field. */
export const offersInField = () => attempt(browserSupportsWebAuthnAutofill);

/** Makes a passkey. */
export const make = (request: AuthenticatorRequest) =>
  attempt<unknown>(() =>
    startRegistration({ optionsJSON: request as unknown as PublicKeyCredentialCreationOptionsJSON }),
  );

/** Signs with a passkey. */
export const use = (request: AuthenticatorRequest, place: "dialog" | "field") =>
  attempt<unknown>(() =>
    startAuthentication({
      optionsJSON: request as unknown as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: place === "field",
    }),
  );

export const cancel = (): void => WebAuthnAbortService.cancelCeremony();
