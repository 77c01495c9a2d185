import { createLazyKeyring, loadKeyring } from "../../../adapters/openpgp/lazyKeyring.ts";
import type { Keyring } from "../../../core/ports/keyring.ts";

declare global {
  interface Window {
    keyring: Keyring;
  }
}

window.keyring = createLazyKeyring(window, loadKeyring);
