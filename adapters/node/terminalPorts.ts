import { left } from "fp-ts/lib/Either.js";
import { constVoid } from "fp-ts/lib/function.js";
import { NEVER } from "rxjs";
import { unavailable } from "../../core/kernel/failure.ts";
import { makeState } from "../../core/kernel/state.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Keyring } from "../../core/ports/keyring.ts";
import type { Ports } from "../../core/ports/ports.ts";
import type { KeyValueStorage } from "../../core/ports/storage.ts";
import type { Tabs } from "../../core/ports/tabs.ts";
import { cryptoRandom } from "../system/cryptoRandom.ts";
import { fetchHttp } from "../system/fetchHttp.ts";
import { systemClock } from "../system/systemClock.ts";
import { cookieHttp, makeCookieJar } from "./cookieHttp.ts";
import { nodeSocket } from "./nodeSocket.ts";

const inMemory = (): KeyValueStorage => {
  const values = new Map<string, string>();
  return {
    read: (key) => values.get(key) ?? null,
    write: (key, value) => Boolean(values.set(key, value)),
    remove: (key) => void values.delete(key),
    keys: () => [...values.keys()],
    changes$: NEVER,
  };
};

const refuse = () => async () => left("unavailable" as const);

/** A program that ends keeps no private keys. */
const noKeyring: Keyring = {
  list: refuse,
  create: refuse,
  protect: refuse,
  markBackedUp: refuse,
  import: refuse,
  remove: refuse,
  rename: refuse,
  forgetAll: refuse,
  examine: refuse,
  open: refuse,
};

/** A program has no other tabs, and is always looked at. */
const alone: Tabs = {
  exclusively: (_name, _limits, work) => work(false),
  broadcast: constVoid,
  heard: () => NEVER,
  visible$: makeState(true),
};

/**
 * The outside world of a program in a terminal: cookies and stored values live as long as the process, and there is
 * no window and no clipboard. Another clock may be given.
 */
export const terminalPorts = (clock: Clock = systemClock): Ports => {
  const jar = makeCookieJar(clock.now);
  const path$ = makeState("/");
  return {
    clock,
    random: cryptoRandom,
    http: cookieHttp(jar)(fetchHttp),
    socket: nodeSocket(jar.header),
    storage: { local: inMemory(), tab: inMemory() },
    connectivity: { online$: makeState(true) },
    page: {
      path$,
      navigate: path$.set,
      systemTheme$: makeState("light"),
      showTheme: () => {},
      narrow$: makeState(false),
      copy: () => async () => left(unavailable("there is no clipboard")),
      cookie: jar.value,
    },
    reporter: { report: constVoid },
    tabs: alone,
    qrCode: () => async () => left(unavailable("there is no screen for it")),
    paymentForms: { open: () => async () => left(unavailable("there is no page for it")) },
    keyring: noKeyring,
    telemetry: { event: constVoid, span: () => constVoid },
    patterns: () => Promise.reject(new Error("expressions are left to the server")),
  };
};
