import { left } from "fp-ts/lib/Either.js";
import { NEVER, of } from "rxjs";
import { unavailable } from "../../core/kernel/failure.ts";
import { makeState } from "../../core/kernel/state.ts";
import type { Ports } from "../../core/ports/ports.ts";
import type { Connection, Socket } from "../../core/ports/socket.ts";
import type { KeyValueStorage } from "../../core/ports/storage.ts";
import { cookieHttp, makeCookieJar } from "./cookieHttp.ts";

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

const closedAtOnce: Connection = {
  events$: of({ kind: "closed", code: 1000, reason: "This shell holds no sockets" }),
  send: () => {},
  close: () => {},
};

const noSockets: Socket = { open: () => closedAtOnce };

/**
 * The outside world of a program in a terminal: cookies and stored values live as long as the process, there is no
 * window, no clipboard and no socket, so what changed is asked for (`app.masks.refresh`).
 */
export const terminalPorts = (given: Pick<Ports, "http" | "clock" | "random">): Ports => {
  const jar = makeCookieJar(given.clock.now);
  const path$ = makeState("/");
  return {
    ...given,
    http: cookieHttp(jar)(given.http),
    socket: noSockets,
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
    reporter: { report: () => {} },
  };
};
