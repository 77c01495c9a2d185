import { left } from "fp-ts/lib/Either.js";
import type { Authenticator } from "../../core/ports/authenticator.ts";

type Library = typeof import("./webauthnLibrary.ts");

/** Loads the library for passkeys; only who uses or makes one needs it. */
export const loadWebauthn = (): Promise<Library> => import("./webauthnLibrary.ts");

/** Creates the authenticator port over WebAuthn; a failed `load` is repeated with the next call. */
export const createBrowserAuthenticator = (
  window: Window & typeof globalThis,
  load: () => Promise<Library>,
): Authenticator => {
  const within = <A>(work: (library: Library) => A | Promise<A>) =>
    load().then(work, () => left("unavailable" as const));
  return {
    // Browsers have passkeys for names only.
    isSupported: () => "PublicKeyCredential" in window && /[a-z]$/.test(window.location.hostname),
    offersInField: () => within((library) => library.offersInField()),
    make: (request) => () => within((library) => library.make(request)),
    use: (request, place) => () => within((library) => library.use(request, place)),
    cancel: () => void within((library) => library.cancel()),
  };
};
