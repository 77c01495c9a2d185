import { Container, ContainerModule, type ServiceIdentifier } from "inversify";
import { makeNavigatorConnectivity } from "../adapters/browser/navigatorConnectivity.ts";
import { makeWebSocketSocket } from "../adapters/browser/webSocketSocket.ts";
import { makeWebStorage } from "../adapters/browser/webStorage.ts";
import { makeWebTabs } from "../adapters/browser/webTabs.ts";
import { makeWindowPage } from "../adapters/browser/windowPage.ts";
import { loadKeyring, makeLateKeyring } from "../adapters/openpgp/lateKeyring.ts";
import { makeOtelTelemetry } from "../adapters/otel/otelTelemetry.ts";
import { loadQrCode, makeQrCodeWriter } from "../adapters/qrcode/qrCodeWriter.ts";
import { loadRe2Patterns } from "../adapters/re2/re2Patterns.ts";
import { makeSentryReporter } from "../adapters/sentry/sentryReporter.ts";
import { loadStripeLibrary, makeStripeForms } from "../adapters/stripe/stripeForms.ts";
import { cryptoRandom } from "../adapters/system/cryptoRandom.ts";
import { fetchHttp } from "../adapters/system/fetchHttp.ts";
import { systemClock } from "../adapters/system/systemClock.ts";
import { type App, makeApp } from "../core/app.ts";
import type { ClientConfiguration } from "../core/contract/configuration.ts";
import { flagsOf } from "../core/contract/flags.ts";
import type { FetchPart } from "../core/kernel/late.ts";
import type { Ports } from "../core/ports/ports.ts";
import type { Foundation } from "./binding/AppContext.ts";
import { makeChunk } from "./loading/chunk.ts";

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

/** A browser that could not fetch a module must be asked for it differently. */
const fetchPart: FetchPart = (load) => makeChunk(load, (module) => module).fetch;

const browser = new ContainerModule(({ bind }) => {
  bind(port("http")).toConstantValue(fetchHttp);
  bind(port("socket"))
    .toResolvedValue((window) => makeWebSocketSocket(() => window.location.href), [ids.window])
    .inSingletonScope();
  bind(port("storage")).toResolvedValue(makeWebStorage, [ids.window]).inSingletonScope();
  bind(port("connectivity")).toResolvedValue(makeNavigatorConnectivity, [ids.window]).inSingletonScope();
  bind(port("page")).toResolvedValue(makeWindowPage, [ids.window]).inSingletonScope();
  bind(port("paymentForms"))
    .toResolvedValue((window) => makeStripeForms(window, fetchPart(loadStripeLibrary)), [ids.window])
    .inSingletonScope();
  bind(port("keyring"))
    .toResolvedValue((window) => makeLateKeyring(window, fetchPart(loadKeyring)), [ids.window])
    .inSingletonScope();
  bind(port("tabs"))
    .toResolvedValue(
      (window, { local }, clock, random) =>
        makeWebTabs(window as Window & typeof globalThis, { storage: local, clock, random }),
      [ids.window, port("storage"), port("clock"), port("random")],
    )
    .inSingletonScope();
});

const system = new ContainerModule(({ bind }) => {
  bind(port("clock")).toConstantValue(systemClock);
  bind(port("random")).toConstantValue(cryptoRandom);
  bind(port("patterns")).toConstantValue(loadRe2Patterns);
  bind(port("qrCode")).toConstantValue(makeQrCodeWriter(fetchPart(loadQrCode)));
});

const reports = new ContainerModule(({ bind }) => {
  bind(port("reporter"))
    .toResolvedValue((configuration) => makeSentryReporter(configuration.sentryDsn), [ids.configuration])
    .inSingletonScope();
  bind(port("telemetry"))
    .toResolvedValue(
      (configuration, clock, random) =>
        makeOtelTelemetry(configuration.telemetryEndpoint, {
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
        makeApp(Object.fromEntries(portNames.map((name, at) => [name, ports[at]])) as unknown as Ports, {
          configuration,
          baseAddress,
          fetchPart,
        }),
      [ids.configuration, ids.baseAddress, ...portNames.map(port)],
    )
    .inSingletonScope();
});

/** The browser as the product's outside world. */
export interface BrowserContainer {
  /** What is needed before the server has told its configuration. */
  readonly ports: Pick<Ports, "http" | "clock" | "storage">;
  /** The product on this browser, in this configuration. */
  readonly compose: (configuration: ClientConfiguration) => Foundation;
}

/** Binds the ports to the browser's adapters (RQ1, D3). Silent: nothing is asked of the browser or the server yet. */
export const makeContainer = (window: Window, baseAddress: string): BrowserContainer => {
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
