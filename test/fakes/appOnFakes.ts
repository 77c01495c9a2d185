import { type App, type AppOptions, createApp } from "../../core/app/createApp.ts";
// The app imports this module at sign-in; with it imported already, that takes no time.
import "../../core/app/signedIn.ts";
import { createRulesAndSync, type RulesAndSync } from "../../core/app/rulesAndSync.ts";
import type { SignedIn } from "../../core/app/signedIn.ts";
import type { Ports } from "../../core/ports/ports.ts";
import type { SignedIn as StartedSession } from "../../core/session/sessionEndpoints.ts";
import { createFakePorts, type FakePortOptions, type FakePorts } from "./fakePorts.ts";
import type { MemoryStorage } from "./memoryStorage.ts";
import {
  createUser,
  type ProductServer,
  type ProductServerOptions,
  serveProduct,
  tokenOf,
} from "./productServer.ts";
import { settled, startsAt } from "./virtualClock.ts";

/** The app and its fakes; `app.masks` and the like belong to the session that was loaded last. */
export type TestApp = App & Omit<SignedIn & RulesAndSync, "start" | "feature">;

export interface AppOnFakes extends FakePorts {
  readonly app: TestApp;
  /** The session that was loaded last. */
  readonly signedIn: () => SignedIn;
  readonly product: ProductServer;
  readonly stop: () => void;
}

/** `product`: the server of another tab or device, which this one shares. */
export interface AppOnFakesOptions extends ProductServerOptions, FakePortOptions {
  readonly settings?: Partial<AppOptions>;
  readonly product?: ProductServer;
  /** Whether the user has signed in on this device before; true by default. */
  readonly isSignedIn?: boolean;
  /** Runs before the app starts. */
  readonly before?: (fakes: FakePorts) => void;
}

/** Stores a session as an earlier visit does. */
export const storeSession = ({ local }: MemoryStorage, { token, user }: StartedSession): void => {
  local.write("userEmail", user.email);
  local.write("userData", JSON.stringify(user));
  local.write("tokenExpiry", String(startsAt + 604_800_000));
  local.write("authToken", token);
};

const followSessions = (app: App): (() => SignedIn) => {
  let last: SignedIn | undefined;
  app.signedIn.state$.subscribe((lazy) => {
    if (lazy.kind === "loaded") last = lazy.value;
  });
  return () => {
    if (last === undefined) throw new Error("no user has signed in yet");
    return last;
  };
};

const withSession = (app: App, signedIn: () => SignedIn): TestApp => ({
  ...app,
  get masks() {
    return signedIn().masks;
  },
  get account() {
    return signedIn().account;
  },
  get notifications() {
    return signedIn().notifications;
  },
  get realtime() {
    return signedIn().realtime;
  },
  get proofQuestion$() {
    return signedIn().proofQuestion$;
  },
  get rules() {
    return signedIn().feature(createRulesAndSync).rules;
  },
  get sync() {
    return signedIn().feature(createRulesAndSync).sync;
  },
  get patterns() {
    return signedIn().feature(createRulesAndSync).patterns;
  },
  shownFeature: (create) => signedIn().shownFeature(create),
  hasUnsentRules: () => signedIn().hasUnsentRules(),
  hasWaitingMasks: () => signedIn().hasWaitingMasks(),
  unsavedWarning: () => signedIn().feature(createRulesAndSync).unsavedWarning(),
  deletesPrivateKeys: () => signedIn().deletesPrivateKeys(),
});

/** An app whose masks, rules and the like are read as `app.masks` once a user has signed in. */
export const createTestApp = (ports: Ports, options: AppOptions): Pick<AppOnFakes, "app" | "signedIn"> => {
  const app = createApp(ports, options);
  const signedIn = followSessions(app);
  return { app: withSession(app, signedIn), signedIn };
};

/** Starts the app on fakes and waits for all that settles without time passing. */
export const startApp = async (options: AppOnFakesOptions = {}): Promise<AppOnFakes> => {
  const fakes = createFakePorts(options);
  const user = options.user ?? createUser("ada@example.org");
  const product = options.product ?? serveProduct(fakes.server, { ...options, user });
  if (options.isSignedIn ?? true) storeSession(fakes.storage, { token: tokenOf(user.email), user });
  options.before?.(fakes);
  const { app, signedIn } = createTestApp(fakes.ports, {
    configuration: { brand: "Bauta", maskDomain: "masks.example" },
    ...options.settings,
  });
  const stop = app.start();
  await settled();
  return { ...fakes, app, signedIn, product, stop };
};
