import { left, right } from "fp-ts/lib/Either.js";
import type { Authenticator } from "../../core/ports/authenticator.ts";

type Library = typeof import("./webauthnLibrary.ts");

/** Loads the library for passkeys; only who uses or makes one needs it. */
export const loadWebauthn = (): Promise<Library> => import("./webauthnLibrary.ts");

/** Creates the authenticator port over WebAuthn; a failed `load` is repeated with the next call. */
export const createBrowserAuthenticator = (
  window: Window & typeof globalThis,
  load: () => Promise<Library>,
): Authenticator => ({
  // Browsers have passkeys for names only.
  isSupported: () => "PublicKeyCredential" in window && /[a-z]$/.test(window.location.hostname),
  load: () =>
    load().then(
      ({ authenticators }) => right(authenticators),
      () => left("unavailable"),
    ),
});
