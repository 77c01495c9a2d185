import { left } from "fp-ts/lib/Either.js";
import { unavailable } from "../../core/kernel/failure.ts";
import { createState } from "../../core/kernel/state.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { systemClock } from "../system/clockAndRandom.ts";
import { fetchHttp } from "../system/fetchHttp.ts";
import { createMemoryStorage, portsWithoutWindow } from "../system/portsWithoutWindow.ts";
import { cookieHttp, createCookieJar } from "./cookieHttp.ts";
import { nodeSocket } from "./nodeSocket.ts";

/**
 * Creates the ports of a program in a terminal: stored values last as long as the process, as cookies do unless a jar keeps
 * them, and there is no window and no clipboard. Tests pass another clock.
 */
export const terminalPorts = (clock: Clock = systemClock, jar = createCookieJar(clock.now)): Ports => {
  const path$ = createState("/");
  return {
    ...portsWithoutWindow(clock),
    http: cookieHttp(jar)(fetchHttp),
    socket: nodeSocket(jar.header),
    storage: { local: createMemoryStorage(), tab: createMemoryStorage() },
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
  };
};
