import { left } from "fp-ts/lib/Either.js";
import type { Authenticator } from "../../core/ports/authenticator.ts";

type Library = typeof import("./webauthnLibrary.ts");

/** Loads the library for passkeys; only who uses or makes one needs it. */
export const loadWebauthn = (): Promise<Library> => import("./webauthnLibrary.ts");

const notLoaded = () => left("unavailable" as const);

/** Creates the authenticator port over WebAuthn; a failed `load` is repeated with the next call. */
export const createBrowserAuthenticator = (
  window: Window & typeof globalThis,
  load: () => Promise<Library>,
): Authenticator => ({
  // Browsers have passkeys for names only.
  isSupported: () => "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(window.location.hostname),
  offersInField: () =>
    load()
      .then(({ offersInField }) => offersInField())
      .catch(() => false),
  make: (request) => () => load().then(({ make }) => make(request), notLoaded),
  use: (request, place) => () => load().then(({ use }) => use(request, place), notLoaded),
  cancel: () =>
    void load()
      .then(({ cancel }) => cancel())
      .catch(() => {}),
});
