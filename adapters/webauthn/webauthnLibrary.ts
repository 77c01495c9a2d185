import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { type Either, left, right } from "fp-ts/lib/Either.js";
import type { AuthenticatorProblem, Authenticators } from "../../core/ports/authenticator.ts";

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

/** The browser's authenticators; what it rejects with becomes a problem. */
export const authenticators: Authenticators = {
  offersInField: browserSupportsWebAuthnAutofill,
  make: (request) => () =>
    attempt<unknown>(() =>
      startRegistration({ optionsJSON: request as unknown as PublicKeyCredentialCreationOptionsJSON }),
    ),
  use: (request, place) => () =>
    attempt<unknown>(() =>
      startAuthentication({
        optionsJSON: request as unknown as PublicKeyCredentialRequestOptionsJSON,
        useBrowserAutofill: place === "field",
      }),
    ),
  cancel: () => WebAuthnAbortService.cancelCeremony(),
};
