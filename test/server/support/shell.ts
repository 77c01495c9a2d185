import { tap } from "rxjs";
import { terminalPorts } from "../../../adapters/node/terminalPorts.ts";
import { createApp } from "../../../core/app/createApp.ts";
import type { SignedIn } from "../../../core/app/signedIn.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { until } from "./until.ts";

/** The app without a browser, in Node, with all messages it has shown. */
export interface Shell {
  readonly signedIn: () => SignedIn;
  /** How often each message was shown. */
  readonly shown: ReadonlyMap<string, number>;
  /** Number of socket connections so far. */
  readonly connections: () => number;
  /** The requests so far, as "GET /masks". */
  readonly requests: readonly string[];
  /** The number of requests that have no answer yet. */
  readonly unanswered: () => number;
  /** Signs in to an existing account. */
  readonly signIn: (email: string, codeOf: (email: string) => Promise<string>) => Promise<void>;
  readonly signUp: (email: string, codeOf: (email: string) => Promise<string>) => Promise<void>;
  readonly stop: () => void;
}

/** Opens the app; `wait` lets the time of its clock pass while it waits. */
export const openShell = (origin: string, clock: Clock, wait: typeof until): Shell => {
  const terminal = terminalPorts(clock);
  const requests: string[] = [];
  let [connections, unanswered] = [0, 0];
  const ports: typeof terminal = {
    ...terminal,
    http: (request) => () => {
      requests.push(`${request.method} ${request.url.slice(origin.length)}`);
      unanswered += 1;
      return terminal
        .http(request)()
        .finally(() => {
          unanswered -= 1;
        });
    },
    socket: {
      open: (address) => {
        const connection = terminal.socket.open(address);
        const events$ = connection.events$.pipe(
          tap((event) => {
            if (event.kind === "message" && event.text.includes('"auth_response"')) connections += 1;
          }),
        );
        return { ...connection, events$ };
      },
    },
  };
  const app = createApp(ports, {
    baseAddress: origin,
    configuration: { brand: "Bauta", maskDomain: "masks.localhost" },
  });
  const shown = new Map<string, number>();
  const known = new Set<string>();
  const stop = app.start();
  app.toasts.list$.subscribe((toasts) => {
    for (const { id, text } of toasts)
      if (!known.has(id)) {
        known.add(id);
        shown.set(text, (shown.get(text) ?? 0) + 1);
      }
  });
  let session: SignedIn | undefined;
  const whenSignedIn = app.signedIn.whenLoaded().then((loaded) => {
    session = loaded;
  });
  const done = async (task: () => Promise<unknown>): Promise<void> => {
    let isDone = false;
    const doing = task().finally(() => {
      isDone = true;
    });
    await wait("the form is free", () => isDone && !app.signIn.busy$.value);
    await doing;
  };

  return {
    signedIn: () => {
      if (session === undefined) throw new Error("nobody has signed in yet");
      return session;
    },
    shown,
    connections: () => connections,
    requests,
    unanswered: () => unanswered,
    signIn: async (email, codeOf) => {
      await done(app.signIn.requestCode(email));
      await done(app.signIn.verifyCode(await codeOf(email)));
      await whenSignedIn;
    },
    signUp: async (email, codeOf) => {
      await done(app.signIn.requestCode(email));
      await done(app.signIn.verifyCode(await codeOf(email)));
      await done(app.signIn.choosePlan("free"));
      await whenSignedIn;
      if (app.session.state$.value.kind !== "signed-in") throw new Error(`${email} is not signed in`);
    },
    stop,
  };
};
