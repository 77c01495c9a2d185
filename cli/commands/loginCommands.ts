import type { Command } from "commander";
import * as E from "fp-ts/lib/Either.js";
import { filter, firstValueFrom } from "rxjs";
import { withBearer } from "../../core/api/basicMiddleware.ts";
import { createCall } from "../../core/api/call.ts";
import { problemOf } from "../../core/api/errorMessages.ts";
import { createPlainPipeline } from "../../core/api/requestPipeline.ts";
import {
  type ApiToken,
  apiTokenPrefix,
  getOwnApiToken,
  startsAsApiToken,
} from "../../core/apiTokens/apiTokenEndpoints.ts";
import { type App, createApp } from "../../core/app/createApp.ts";
import { getAccount, type User } from "../../core/session/user.ts";
import { declare, outputOf } from "../command.ts";
import { exits, Stop, stopFor, usageError } from "../exits.ts";
import {
  createLoginApp,
  isPrivateConnection,
  type OpenLogin,
  openLogin,
  readConfiguration,
  serverAddress,
  timeoutMs,
  tokenSecret,
} from "../login/connect.ts";
import { holdEarlierSession } from "../login/earlierSession.ts";
import { createPorts } from "../login/ports.ts";
import { readLogin, removeLogin, type SavedLogin, writeLogin } from "../login/savedLogin.ts";
import { choosePlace, openSecrets, type SecretStore } from "../login/secrets.ts";
import { run } from "../masks.ts";
import type { Output } from "../output/output.ts";
import { layOutFacts } from "../output/table.ts";
import { ask, askSecret, confirm } from "../prompt.ts";

interface LoginOptions {
  readonly server?: string;
  readonly email?: string;
  readonly token?: boolean;
}

/** Waits until the sign-in takes another step: it refuses those that follow too quickly. */
const untilReady = ({ signIn }: App): Promise<boolean> =>
  firstValueFrom(signIn.busy$.pipe(filter((isBusy) => !isBusy)));

/** Signs in by a code from a mail, and by a second factor where the account has one. */
const signIn = async (app: App, email: string): Promise<User> => {
  await run(app.signIn.requestCode(email));
  const code = await ask("Code from the mail");
  await untilReady(app);
  await run(app.signIn.verifyCode(code));
  if (app.signIn.step$.value.step === "two-factor") {
    const second = await ask("Code of your authenticator, or a recovery code");
    await untilReady(app);
    await run(app.signIn.verifyTwoFactor(second));
  }
  if (app.signIn.step$.value.step === "plan")
    throw new Stop(exits.failed, "There is no account with this address. Create one in the browser first.");
  const { value } = app.session.state$;
  if (value.kind !== "signed-in") throw new Stop(exits.failed, "The login failed.");
  if (app.signIn.isKeySetup$.value) app.signIn.finishKeySetup();
  return value.user;
};

/** Asks the server whose token it is. */
const readToken = async (
  token: string,
  ports: OpenLogin["ports"],
  server: string,
): Promise<{ readonly apiToken: ApiToken; readonly user: User }> => {
  const nobody: User = {
    email: "token",
    subscription: { tier: "free", status: "active", isAssumed: true },
    twoFactor: { enabled: false },
  };
  const destination = { baseAddress: server, timeoutMs, clock: ports.clock };
  const call = createCall(
    withBearer(() => token)(createPlainPipeline(ports.http, ports.random, destination)),
  );
  const apiToken = await call(getOwnApiToken)()();
  if (E.isLeft(apiToken)) {
    const { left } = apiToken;
    if (left.kind === "refused" && left.status === 401)
      throw new Stop(exits.notLoggedIn, left.message ?? "The server does not know this token.");
    throw stopFor(problemOf({ page: "The token could not be checked." })(left));
  }
  const user = apiToken.right.scopes.includes("account:read") ? await call(getAccount)()() : null;
  return {
    apiToken: apiToken.right,
    user: user && E.isRight(user) ? user.right : { ...nobody, email: `token-${apiToken.right.id}` },
  };
};

const keep = (login: SavedLogin): void => {
  if (!writeLogin(login))
    throw new Stop(exits.failed, "The login cannot be kept: the state folder is not writable.");
};

const loginWithToken = async (server: string, output: Output): Promise<void> => {
  const token = process.env["BAUTA_TOKEN"]?.trim() || (await askSecret("API token"));
  if (!startsAsApiToken(token))
    throw usageError(`An API token begins with ${apiTokenPrefix}. Create one in Settings › Programs.`);
  const { place, name } = choosePlace(server);
  const store = openSecrets(server, place);
  const ports = createPorts(server, store, "token");
  const configuration = await readConfiguration(server, ports);
  const { apiToken, user } = await readToken(token, ports, server);
  store.removeAll();
  if (!store.write(tokenSecret, token)) throw new Stop(exits.failed, "The token cannot be kept.");
  keep({ server, kind: "token", secrets: place, configuration, user });
  output.print({
    value: { server, kind: "token", name: apiToken.name, scopes: apiToken.scopes, secretsIn: place },
    lines: () => [`Logged in at ${server} with the token "${apiToken.name}", which is kept in ${name}.`],
  });
};

const loginByMail = async (server: string, typed: string | undefined, output: Output): Promise<void> => {
  const { place, name } = choosePlace(server);
  const store = openSecrets(server, place);
  const ports = createPorts(server, store, "session");
  const configuration = await readConfiguration(server, ports);
  store.removeAll();
  const app = createApp(createPorts(server, store, "session"), { configuration, baseAddress: server });
  const stop = app.start();
  try {
    if (app.session.state$.value.kind === "signed-in") await app.session.logOut()();
    const user = await signIn(app, typed ?? (await ask("Your email address")));
    keep({ server, kind: "session", secrets: place, configuration, user });
    output.print({
      value: { server, kind: "session", email: user.email, secretsIn: place },
      lines: () => [`Logged in at ${server} as ${user.email}. The session is kept in ${name}.`],
    });
  } finally {
    stop();
  }
};

const login = declare(
  "login",
  "Log in by a code from a mail, or with an API token",
  { call: "bauta-cli login --server https://mail.example.org", does: "asks for your address and the code" },
  { call: "bauta-cli login --token < token.txt", does: "reads an API token, which is never an argument" },
)
  .option("--server <address>", "the address of the server; that of the last login if left out")
  .option("--email <address>", "your address; asked for if left out")
  .option("--token", "log in with an API token, from BAUTA_TOKEN or the input")
  .action(async (options: LoginOptions, command: Command) => {
    const output = outputOf(command);
    const named = options.server ?? process.env["BAUTA_SERVER"] ?? readLogin()?.server;
    const server = serverAddress(named ?? (await ask("Address of the server")));
    const endEarlier = holdEarlierSession(server);
    if (options.token) await loginWithToken(server, output);
    else await loginByMail(server, options.email, output);
    await endEarlier();
  });

const forget = (store: SecretStore): void => {
  store.removeAll();
  removeLogin();
};

const logout = declare("logout", "Log out, and forget what is kept here", {
  call: "bauta-cli logout",
  does: "ends the session; a token stays valid until you revoke it in Settings › Programs",
})
  .option("--yes", "do not ask, even when changes of rules wait here for a network")
  .action(async ({ yes = false }: { readonly yes?: boolean }, command: Command) => {
    const output = outputOf(command);
    const saved = readLogin();
    if (saved === null) throw new Stop(exits.notLoggedIn, "You are not logged in.");
    const store = openSecrets(saved.server, saved.secrets);
    const ports = createPorts(saved.server, store, saved.kind);
    const waits = ports.storage.local.read("pendingRulesSync") !== null;
    if (waits) await confirm("Changes of rules wait here for a network. Logging out deletes them.", yes);
    if (saved.kind === "session" && isPrivateConnection(saved.server)) {
      const app = createLoginApp({ ...saved, store, ports, token: null });
      const stop = app.start();
      await app.session.logOut()();
      stop();
    }
    for (const key of ports.storage.local.keys()) ports.storage.local.remove(key);
    forget(store);
    output.print({
      value: { server: saved.server, loggedOut: true },
      lines: () => [
        saved.kind === "session"
          ? `Logged out of ${saved.server}.`
          : `The token is forgotten here. Revoke it at ${saved.server} in Settings › Programs.`,
      ],
    });
  });

const whoami = declare("whoami", "Say who is logged in, where, and what a token may do", {
  call: "bauta-cli whoami --json",
  does: "prints server, address, scopes and expiry for a program",
}).action(async (_options: unknown, command: Command) => {
  const output = outputOf(command);
  const login = await openLogin();
  if (login.token !== null) {
    const { apiToken, user } = await readToken(login.token, login.ports, login.server);
    const { name, scopes, expires, domain } = apiToken;
    const email = user.email.includes("@") ? user.email : null;
    output.print({
      value: { server: login.server, kind: "token", email, name, scopes, domain, expires },
      quiet: [email ?? name],
      lines: () =>
        layOutFacts([
          ["Server", login.server],
          ["Account", email ?? "(the token may not see it)"],
          ["Token", name],
          ["May", scopes.join(", ")],
          ["Domain", domain ?? ""],
          ["Ends", expires ?? "never"],
        ]),
    });
    return;
  }
  const app = createLoginApp(login);
  const stop = app.start();
  try {
    await run(app.session.validate());
    const expires = Number(login.ports.storage.local.read("tokenExpiry"));
    const until = expires > 0 ? new Date(expires).toISOString() : null;
    output.print({
      value: { server: login.server, kind: "session", email: login.user.email, expires: until },
      quiet: [login.user.email],
      lines: () =>
        layOutFacts([
          ["Server", login.server],
          ["Account", login.user.email],
          ["Session ends", until ? `${until}, unless it is used before` : ""],
        ]),
    });
  } finally {
    stop();
  }
});

export const loginCommands: readonly Command[] = [login, logout, whoami];
