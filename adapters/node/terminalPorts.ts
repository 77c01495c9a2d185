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
import { cryptoRandom, systemClock } from "../system/clockAndRandom.ts";
import { fetchHttp } from "../system/fetchHttp.ts";
import { cookieHttp, createCookieJar } from "./cookieHttp.ts";
import { nodeSocket } from "./nodeSocket.ts";

const createMemoryStorage = (): KeyValueStorage => {
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

/** A program in a terminal stores no private keys. */
const noAuthenticator: Ports["authenticator"] = {
  isSupported: () => false,
  load: async () => left("unavailable"),
};

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

/**
 * Creates the ports of a program in a terminal: stored values last as long as the process, as cookies do unless a jar keeps
 * them, and there is no window and no clipboard. Tests pass another clock.
 */
export const terminalPorts = (clock: Clock = systemClock, jar = createCookieJar(clock.now)): Ports => {
  const path$ = createState("/");
  return {
    clock,
    random: cryptoRandom,
    http: cookieHttp(jar)(fetchHttp),
    socket: nodeSocket(jar.header),
    storage: { local: createMemoryStorage(), tab: createMemoryStorage() },
    connectivity: { online$: createState(true) },
    page: {
      path$,
      navigate: path$.set,
      systemTheme$: createState("light"),
      showTheme: () => {},
      narrow$: createState(false),
      copy: () => async () => left(unavailable("there is no clipboard")),
      cookie: jar.value,
      expireCookie: (name) => jar.store(`${name}=; Path=/; Max-Age=0`),
    },
    reporter: { isReceived: false, report: constVoid },
    tabs: onlyTab,
    qrCode: () => async () => left(unavailable("QR codes need a screen")),
    paymentForms: { open: () => async () => left(unavailable("payment forms need a page")) },
    keyring: noKeyring,
    authenticator: noAuthenticator,
    telemetry: { event: constVoid, span: () => constVoid },
    patterns: () => Promise.reject(new Error("regular expressions run on the server only")),
  };
};
