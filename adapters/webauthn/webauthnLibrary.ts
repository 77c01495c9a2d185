import {
  browserSupportsWebAuthnAutofill,
  bufferToBase64URLString,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { type Either, left, right } from "fp-ts/lib/Either.js";
import type {
  AuthenticatorAnswer,
  AuthenticatorProblem,
  Authenticators,
} from "../../core/ports/authenticator.ts";

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

/** The input that a passkey derives its secret for this app from; it may be known to all, and never changes. */
const secretOf = new TextEncoder().encode("the passphrase of the backup of a private key");

type Signed = Awaited<ReturnType<typeof startAuthentication>>;

/** Parts the results of extensions, which stay in the browser, from what is sent to the server. */
const toAnswer = ({ clientExtensionResults, ...signed }: Signed): AuthenticatorAnswer => {
  const { prf } = clientExtensionResults as {
    readonly prf?: { readonly results?: { readonly first?: unknown } };
  };
  const derived = prf?.results?.first;
  return { signed, secret: derived instanceof ArrayBuffer ? bufferToBase64URLString(derived) : null };
};

/** The browser's authenticators; what it rejects with becomes a problem. */
export const authenticators: Authenticators = {
  offersInField: browserSupportsWebAuthnAutofill,
  make: (request) => () =>
    attempt<unknown>(() =>
      startRegistration({
        optionsJSON: {
          // The server has made it for the browser, which checks it; core passes it on unread.
          ...(request as unknown as PublicKeyCredentialCreationOptionsJSON),
          // Most authenticators derive secrets for those passkeys only that were made for it.
          extensions: { prf: {} },
        },
      }),
    ),
  use: (request, place) => () =>
    attempt(async () =>
      toAnswer(
        await startAuthentication({
          optionsJSON: {
            ...(request as unknown as PublicKeyCredentialRequestOptionsJSON),
            extensions: { prf: { eval: { first: secretOf } } },
          },
          useBrowserAutofill: place === "field",
        }),
      ),
    ),
  cancel: () => WebAuthnAbortService.cancelCeremony(),
};
