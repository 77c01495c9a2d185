import { createHash } from "node:crypto";
import * as E from "fp-ts/lib/Either.js";
import { filter, firstValueFrom, NEVER, type SchedulerAction } from "rxjs";
import { createCall } from "../../core/api/call.ts";
import { type ClientConfiguration, getConfiguration } from "../../core/api/configuration.ts";
import { problemOf } from "../../core/api/errorMessages.ts";
import { createPlainPipeline } from "../../core/api/requestPipeline.ts";
import { isPrivateConnection as isPrivateAddress, readServerAddress } from "../../core/api/serverAddress.ts";
import { type App, createApp } from "../../core/app/createApp.ts";
import type { SignedIn } from "../../core/app/signedIn.ts";
import { createTokenCredentials } from "../../core/app/tokenCredentials.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Ports } from "../../core/ports/ports.ts";
import type { User } from "../../core/session/user.ts";
import { exits, Stop, stopFor, usageError } from "../exits.ts";
import { createPorts } from "./ports.ts";
import { readLogin, type SavedLogin } from "./savedLogin.ts";
import { openSecrets, type SecretStore } from "./secrets.ts";

/** The name of an API token among the secrets. */
export const tokenSecret = "apiToken";

/** A login, with what proves it. */
export interface OpenLogin extends SavedLogin {
  readonly store: SecretStore;
  readonly ports: Ports;
  /** null for a session. */
  readonly token: string | null;
}

/** The app of a login, started. */
export interface Connection {
  readonly login: OpenLogin;
  readonly app: App;
  readonly signedIn: SignedIn;
  readonly stop: () => void;
}

/** The time that a request may take. */
export const timeoutMs = 15_000;

const inMemory = (): SecretStore => {
  const known = new Map<string, string>();
  return {
    place: "file",
    names: () => [...known.keys()],
    read: (name) => known.get(name) ?? null,
    write: (name, secret) => Boolean(secret === null ? known.delete(name) : known.set(name, secret)),
    reload: () => {},
    removeAll: () => known.clear(),
  };
};

/** True if codes and tokens may be sent to an address: encrypted, or to this machine, where they pass no network. */
export const isPrivateConnection = (address: string): boolean => {
  const url = URL.parse(address);
  return url !== null && isPrivateAddress(url);
};

/** Returns an address as the program uses it; throws for one that is none, or not encrypted. */
export const serverAddress = (typed: string): string => {
  const address = readServerAddress(typed, (text) => URL.parse(text));
  if (E.isLeft(address)) throw usageError(address.left);
  return address.right;
};

/** Reads the settings of a server, which also says whether there is one. */
export const readConfiguration = async (server: string, ports: Ports): Promise<ClientConfiguration> => {
  const http = createPlainPipeline(ports.http, ports.random, {
    baseAddress: server,
    timeoutMs,
    clock: ports.clock,
  });
  const answer = await createCall(http)(getConfiguration)()();
  if (E.isRight(answer)) return answer.right;
  const { kind } = answer.left;
  if (kind === "network")
    throw new Stop(
      exits.noNetwork,
      `The server ${server} cannot be reached. Check the network and the address.`,
    );
  if (kind === "refused" || kind === "unreadable")
    throw new Stop(exits.failed, `There is no Bauta server at ${server}.`);
  throw stopFor(problemOf({})(answer.left));
};

const userOfUnsavedToken = (token: string): User => ({
  email: `token-${createHash("sha256").update(token).digest("hex").slice(0, 16)}`,
  subscription: { tier: "free", status: "active", isAssumed: true },
  twoFactor: { enabled: false },
});

/** The login that BAUTA_TOKEN stands for, of which nothing is kept but copies of lists. */
const loginOfEnvironment = async (token: string): Promise<OpenLogin> => {
  const named = process.env["BAUTA_SERVER"] ?? readLogin()?.server;
  if (named === undefined) throw usageError("BAUTA_TOKEN needs the address of its server: set BAUTA_SERVER.");
  const server = serverAddress(named);
  const store = inMemory();
  const ports = createPorts(server, store, "token");
  return {
    server,
    kind: "token",
    secrets: "file",
    configuration: { brand: "Bauta", maskDomain: "" },
    user: userOfUnsavedToken(token),
    store,
    ports,
    token,
  };
};

/** Opens the login that commands use: BAUTA_TOKEN, else the last `bauta-cli login`. */
export const openLogin = async (): Promise<OpenLogin> => {
  const token = process.env["BAUTA_TOKEN"]?.trim();
  if (token) return loginOfEnvironment(token);
  const saved = readLogin();
  if (saved === null) throw new Stop(exits.notLoggedIn, "You are not logged in. Run `bauta-cli login`.");
  serverAddress(saved.server);
  const store = openSecrets(saved.server, saved.secrets);
  const secret = saved.kind === "token" ? store.read(tokenSecret) : null;
  if (saved.kind === "token" && secret === null)
    throw new Stop(exits.notLoggedIn, "The token is not in its place any more. Run `bauta-cli login`.");
  return { ...saved, store, ports: createPorts(saved.server, store, saved.kind), token: secret };
};

/**
 * The time, in milliseconds, for which the core collects changes before it stores them; a single command stores them at once.
 */
const collectedMs = 300;

const withoutCollecting = ({ now, scheduler }: Clock): Clock => ({
  now,
  scheduler: {
    now: () => scheduler.now(),
    schedule: <A>(work: (this: SchedulerAction<A>, state: A) => void, delayMs = 0, state?: A) =>
      scheduler.schedule(work, delayMs <= collectedMs ? 0 : delayMs, state as A),
  },
});

/** Creates the app of a login. What a single command does not need is not started. */
export const createLoginApp = (login: OpenLogin, isLive = false): App => {
  const { server, configuration, token, user } = login;
  const flags = { ...configuration.flags, performanceTracking: false };
  const { ports } = login;
  return createApp(isLive ? ports : { ...ports, clock: withoutCollecting(ports.clock) }, {
    configuration: { ...configuration, flags: token === null ? flags : { ...flags, websockets: false } },
    baseAddress: server,
    timeoutMs,
    ...(isLive ? {} : { painted$: NEVER }),
    ...(token === null ? {} : { credentials: createTokenCredentials({ token, user }) }),
  });
};

const sessionOver = "Your session has ended. `bauta-cli login` begins a new one.";

/** Starts the app of the login that commands use. */
export const connect = async ({ isLive = false } = {}): Promise<Connection> => {
  const login = await openLogin();
  const app = createLoginApp(login, isLive);
  const stop = app.start();
  const state = await firstValueFrom(app.session.state$.pipe(filter(({ kind }) => kind !== "starting")));
  if (state.kind !== "signed-in") {
    stop();
    throw new Stop(exits.notLoggedIn, sessionOver);
  }
  return { login, app, signedIn: await app.signedIn.whenLoaded(), stop };
};
