import { type App, type AppOptions, createApp } from "../../core/app/createApp.ts";
// Imported late by the app: what is here already comes without time passing.
import "../../core/archive/archive.ts";
import "../../core/app/live.ts";
import "../../core/app/rulesPart.ts";
import "../../core/account/accountData.ts";
import "../../core/contentAccess/contentAccess.ts";
import "../../core/encryption/encryption.ts";
import "../../core/account/imports.ts";
import "../../core/insights/insights.ts";
import "../../core/masks/masks.ts";
import "../../core/billing/billing.ts";
import "../../core/account/profile.ts";
import "../../core/session/openSessions.ts";
import "../../core/session/twoFactor.ts";
import type { SignedIn } from "../../core/session/sessionEndpoints.ts";
import { createFakePorts, type FakePorts, type FakeSurroundings } from "./fakePorts.ts";
import type { MemoryStorage } from "./memoryStorage.ts";
import {
  createUser,
  type ProductServer,
  type ProductServerOptions,
  serveProduct,
  tokenOf,
} from "./productServer.ts";
import { settled, startsAt } from "./virtualClock.ts";

export interface AppOnFakes extends FakePorts {
  readonly app: App;
  readonly product: ProductServer;
  readonly stop: () => void;
}

/** `product`: the server of another tab or device, which this one shares. */
export interface AppOnFakesOptions extends ProductServerOptions, FakeSurroundings {
  readonly settings?: Partial<AppOptions>;
  readonly product?: ProductServer;
  /** Whether the product's user has signed in on this device before; true unless said otherwise. */
  readonly isSignedIn?: boolean;
  /** Runs before the app starts. */
  readonly before?: (fakes: FakePorts) => void;
}

/** Stores a session as an earlier visit left it. */
export const storeSession = ({ local }: MemoryStorage, { token, user }: SignedIn): void => {
  local.write("userEmail", user.email);
  local.write("userData", JSON.stringify(user));
  local.write("tokenExpiry", String(startsAt + 604_800_000));
  local.write("authToken", token);
};

/** The app, started on fakes, with everything done that can be done without time passing. */
export const startApp = async (options: AppOnFakesOptions = {}): Promise<AppOnFakes> => {
  const fakes = createFakePorts(options);
  const user = options.user ?? createUser("ada@example.org");
  const product = options.product ?? serveProduct(fakes.server, { ...options, user });
  if (options.isSignedIn ?? true) storeSession(fakes.storage, { token: tokenOf(user.email), user });
  options.before?.(fakes);
  const app = createApp(fakes.ports, {
    configuration: { brand: "Bauta", maskDomain: "masks.example" },
    ...options.settings,
  });
  const stop = app.start();
  await settled();
  return { ...fakes, app, product, stop };
};
