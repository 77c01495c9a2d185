import { left } from "fp-ts/lib/Either.js";
import { constVoid } from "fp-ts/lib/function.js";
import { NEVER } from "rxjs";
import { unavailable } from "../../core/kernel/failure.ts";
import { createState } from "../../core/kernel/state.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Keyring } from "../../core/ports/keyring.ts";
import type { Ports } from "../../core/ports/ports.ts";
import type { KeyValueStorage } from "../../core/ports/storage.ts";
import type { Tabs } from "../../core/ports/tabs.ts";
import { cryptoRandom } from "./clockAndRandom.ts";

/** Creates a storage whose values last as long as the process. */
export const createMemoryStorage = (): KeyValueStorage => {
  const values = new Map<string, string>();
  return {
    read: (key) => values.get(key) ?? null,
    write: (key, value) => Boolean(values.set(key, value)),
    remove: (key) => void values.delete(key),
    keys: () => [...values.keys()],
    changes$: NEVER,
  };
};

const unavailableTask = () => async () => left("unavailable" as const);

const noAuthenticator: Ports["authenticator"] = {
  isSupported: () => false,
  load: async () => left("unavailable"),
};

/** A program without a window stores no private keys. */
const noKeyring: Keyring = {
  list: unavailableTask,
  create: unavailableTask,
  protect: unavailableTask,
  markBackedUp: unavailableTask,
  import: unavailableTask,
  remove: unavailableTask,
  rename: unavailableTask,
  forgetAll: unavailableTask,
  examine: unavailableTask,
  open: unavailableTask,
  decrypt: unavailableTask,
  decryptBytes: unavailableTask,
};

/** A program has no other tabs and is always visible. */
const onlyTab: Tabs = {
  runExclusive: (_name, _limits, work) => work(false),
  broadcast: constVoid,
  messages: () => NEVER,
  visible$: createState(true),
};

/** Creates the ports that answer without a window of the product, for shells that are none: what needs a screen fails. */
export const portsWithoutWindow = (clock: Clock): Omit<Ports, "http" | "page" | "socket" | "storage"> => ({
  clock,
  random: cryptoRandom,
  connectivity: { online$: createState(true) },
  reporter: { isReceived: false, report: constVoid },
  tabs: onlyTab,
  qrCode: () => async () => left(unavailable("QR codes need a screen")),
  paymentForms: { open: () => async () => left(unavailable("payment forms need a page")) },
  keyring: noKeyring,
  authenticator: noAuthenticator,
  telemetry: { event: constVoid, span: () => constVoid },
  patterns: () => Promise.reject(new Error("regular expressions run on the server only")),
});
