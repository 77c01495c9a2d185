import { loadKeyring, makeLateKeyring } from "../../../adapters/openpgp/lateKeyring.ts";
import type { Keyring } from "../../../core/ports/keyring.ts";

declare global {
  interface Window {
    keyring: Keyring;
  }
}

window.keyring = makeLateKeyring(window, loadKeyring);
