import { Container, ContainerModule, type ServiceIdentifier } from "inversify";
import { createNavigatorConnectivity } from "../adapters/browser/navigatorConnectivity.ts";
import { createWebSocketSocket } from "../adapters/browser/webSocketSocket.ts";
import { createWebStorage } from "../adapters/browser/webStorage.ts";
import { createWebTabs } from "../adapters/browser/webTabs.ts";
import { createWindowPage } from "../adapters/browser/windowPage.ts";
import { createLazyKeyring, loadKeyring } from "../adapters/openpgp/lazyKeyring.ts";
import { createOtelTelemetry } from "../adapters/otel/otelTelemetry.ts";
import { createQrCodeWriter, loadQrCode } from "../adapters/qrcode/qrCodeWriter.ts";
import { loadRe2Patterns } from "../adapters/re2/re2Patterns.ts";
import { createSentryReporter } from "../adapters/sentry/sentryReporter.ts";
import { createStripeForms, loadStripeLibrary } from "../adapters/stripe/stripeForms.ts";
import { cryptoRandom, systemClock } from "../adapters/system/clockAndRandom.ts";
import { fetchHttp } from "../adapters/system/fetchHttp.ts";
import { type ClientConfiguration, flagsOf } from "../core/api/configuration.ts";
import { type App, createApp } from "../core/app/createApp.ts";
import type { FetchPart } from "../core/kernel/late.ts";
import type { Ports } from "../core/ports/ports.ts";
import { createChunk } from "./loading/chunk.ts";
import type { AppContextValue } from "./react/useApp.ts";

type PortName = keyof Ports;

const named = <A>(name: string): ServiceIdentifier<A> => Symbol.for(`bauta.${name}`);

const ids = {
  window: named<Window>("window"),
  configuration: named<ClientConfiguration>("configuration"),
  baseAddress: named<string>("baseAddress"),
  app: named<App>("app"),
};

const port = <Name extends PortName>(name: Name): ServiceIdentifier<Ports[Name]> => named(`port.${name}`);

const portNames = [
  "http",
  "socket",
  "storage",
  "clock",
  "random",
  "connectivity",
  "page",
  "reporter",
  "tabs",
  "telemetry",
  "patterns",
  "qrCode",
  "paymentForms",
  "keyring",
] as const;

/** Loads a module with retries; a browser needs another URL for a module that failed to load. */
const fetchPart: FetchPart = (load) => createChunk(load, (module) => module).fetch;

const browser = new ContainerModule(({ bind }) => {
  bind(port("http")).toConstantValue(fetchHttp);
  bind(port("socket"))
    .toResolvedValue((window) => createWebSocketSocket(() => window.location.href), [ids.window])
    .inSingletonScope();
  bind(port("storage")).toResolvedValue(createWebStorage, [ids.window]).inSingletonScope();
  bind(port("connectivity")).toResolvedValue(createNavigatorConnectivity, [ids.window]).inSingletonScope();
  bind(port("page")).toResolvedValue(createWindowPage, [ids.window]).inSingletonScope();
  bind(port("paymentForms"))
    .toResolvedValue((window) => createStripeForms(window, fetchPart(loadStripeLibrary)), [ids.window])
    .inSingletonScope();
  bind(port("keyring"))
    .toResolvedValue((window) => createLazyKeyring(window, fetchPart(loadKeyring)), [ids.window])
    .inSingletonScope();
  bind(port("tabs"))
    .toResolvedValue(
      (window, { local }, clock, random) =>
        createWebTabs(window as Window & typeof globalThis, { storage: local, clock, random }),
      [ids.window, port("storage"), port("clock"), port("random")],
    )
    .inSingletonScope();
});

const system = new ContainerModule(({ bind }) => {
  bind(port("clock")).toConstantValue(systemClock);
  bind(port("random")).toConstantValue(cryptoRandom);
  bind(port("patterns")).toConstantValue(loadRe2Patterns);
  bind(port("qrCode")).toConstantValue(createQrCodeWriter(fetchPart(loadQrCode)));
});

const reports = new ContainerModule(({ bind }) => {
  bind(port("reporter"))
    .toResolvedValue((configuration) => createSentryReporter(configuration.sentryDsn), [ids.configuration])
    .inSingletonScope();
  bind(port("telemetry"))
    .toResolvedValue(
      (configuration, clock, random) =>
        createOtelTelemetry(configuration.telemetryEndpoint, {
          serviceName: configuration.brand,
          environment: flagsOf(configuration).developmentMode ? "development" : "production",
          clock,
          random,
        }),
      [ids.configuration, port("clock"), port("random")],
    )
    .inSingletonScope();
});

const product = new ContainerModule(({ bind }) => {
  bind(ids.app)
    .toResolvedValue(
      (configuration: ClientConfiguration, baseAddress: string, ...ports: Ports[PortName][]) =>
        createApp(Object.fromEntries(portNames.map((name, at) => [name, ports[at]])) as unknown as Ports, {
          configuration,
          baseAddress,
          fetchPart,
        }),
      [ids.configuration, ids.baseAddress, ...portNames.map(port)],
    )
    .inSingletonScope();
});

/** The dependency container of the browser. */
export interface BrowserContainer {
  /** The ports that are used before the server's configuration is loaded. */
  readonly ports: Pick<Ports, "http" | "clock" | "storage">;
  /** Creates the app for this browser and this configuration. */
  readonly compose: (configuration: ClientConfiguration) => AppContextValue;
}

/** Binds the ports to the browser's adapters (RQ1, D3). Starts nothing and sends no request. */
export const createContainer = (window: Window, baseAddress: string): BrowserContainer => {
  const container = new Container({ jitless: true });
  container.bind(ids.window).toConstantValue(window);
  container.bind(ids.baseAddress).toConstantValue(baseAddress);
  container.load(browser, system, reports, product);
  return {
    ports: {
      http: container.get(port("http")),
      clock: container.get(port("clock")),
      storage: container.get(port("storage")),
    },
    compose: (configuration) => {
      container.bind(ids.configuration).toConstantValue(configuration);
      return { app: container.get(ids.app), reporter: container.get(port("reporter")) };
    },
  };
};
