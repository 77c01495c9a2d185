import { createBrowserKeyring, loadKeyWorkerClient } from "../../../adapters/openpgp/browserKeyring.ts";
import type { Keyring } from "../../../core/ports/keyring.ts";

declare global {
  interface Window {
    keyring: Keyring;
  }
}

window.keyring = createBrowserKeyring(window, loadKeyWorkerClient);
