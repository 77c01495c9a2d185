// inversify stores what it knows of modules and classes with it, and leaves to the app which version that is.
import "reflect-metadata/lite";
import { Container, ContainerModule, type ResolutionContext, type ServiceIdentifier } from "inversify";
import { createNavigatorConnectivity } from "../adapters/browser/navigatorConnectivity.ts";
import { createWebSocketSocket } from "../adapters/browser/webSocketSocket.ts";
import { createWebStorage } from "../adapters/browser/webStorage.ts";
import { createWebTabs } from "../adapters/browser/webTabs.ts";
import { createPainted, createWindowPage } from "../adapters/browser/windowPage.ts";
import { createBrowserKeyring, loadKeyWorkerClient } from "../adapters/openpgp/browserKeyring.ts";
import { createOtelTelemetry, loadOtlpClient } from "../adapters/otel/otelTelemetry.ts";
import { createQrCodeWriter, loadQrCode } from "../adapters/qrcode/qrCodeWriter.ts";
import { loadRe2Patterns } from "../adapters/re2/re2Patterns.ts";
import { createSentryReporter, loadSentryClient } from "../adapters/sentry/sentryReporter.ts";
import { createStripeForms, loadStripeLibrary } from "../adapters/stripe/stripeForms.ts";
import { cryptoRandom, systemClock } from "../adapters/system/clockAndRandom.ts";
import { fetchHttp, withEarlyResponse } from "../adapters/system/fetchHttp.ts";
import { createBrowserAuthenticator, loadWebauthn } from "../adapters/webauthn/browserAuthenticator.ts";
import { type ClientConfiguration, flagsOf } from "../core/api/configuration.ts";
import { type App, createApp } from "../core/app/createApp.ts";
import type { Ports } from "../core/ports/ports.ts";
import { signedInCode } from "./app/firstChunks.ts";
import { retryable } from "./loading/chunk.ts";
import { takeEarlyList } from "./loading/earlyList.ts";
import type { AppContextValue } from "./react/useApp.ts";

const named = <A>(name: string): ServiceIdentifier<A> => Symbol.for(`bauta.${name}`);

const ids = {
  window: named<Window & typeof globalThis>("window"),
  configuration: named<ClientConfiguration>("configuration"),
  baseAddress: named<string>("baseAddress"),
  app: named<App>("app"),
};

/** The port for passkeys is created with the app: nothing else needs it, and the first load has no bytes to spare. */
type NamedPorts = Omit<Ports, "authenticator">;

type PortIds = { readonly [Name in keyof NamedPorts]: ServiceIdentifier<Ports[Name]> };

const ports: PortIds = {
  http: named("port.http"),
  socket: named("port.socket"),
  storage: named("port.storage"),
  clock: named("port.clock"),
  random: named("port.random"),
  connectivity: named("port.connectivity"),
  page: named("port.page"),
  reporter: named("port.reporter"),
  tabs: named("port.tabs"),
  telemetry: named("port.telemetry"),
  patterns: named("port.patterns"),
  qrCode: named("port.qrCode"),
  paymentForms: named("port.paymentForms"),
  keyring: named("port.keyring"),
};

type Get = ResolutionContext["get"];

/** Creates each port from the others and from the configuration, once, when it is first needed. */
const adapters: { readonly [Name in keyof NamedPorts]: (get: Get) => Ports[Name] } = {
  http: (get) => withEarlyResponse((url, token) => takeEarlyList(get(ids.window), url, token))(fetchHttp),
  socket: (get) => createWebSocketSocket(() => get(ids.window).location.href),
  storage: (get) => createWebStorage(get(ids.window)),
  clock: () => systemClock,
  random: () => cryptoRandom,
  connectivity: (get) => createNavigatorConnectivity(get(ids.window)),
  page: (get) => createWindowPage(get(ids.window)),
  reporter: (get) => createSentryReporter(get(ids.configuration).sentryDsn, retryable(loadSentryClient)),
  tabs: (get) =>
    createWebTabs(get(ids.window), {
      storage: get(ports.storage).local,
      clock: get(ports.clock),
      random: get(ports.random),
    }),
  telemetry: (get) =>
    createOtelTelemetry(
      get(ids.configuration).telemetryEndpoint,
      {
        serviceName: get(ids.configuration).brand,
        environment: flagsOf(get(ids.configuration)).developmentMode ? "development" : "production",
        clock: get(ports.clock),
        random: get(ports.random),
      },
      retryable(loadOtlpClient),
    ),
  patterns: () => retryable(loadRe2Patterns),
  qrCode: () => createQrCodeWriter(retryable(loadQrCode)),
  paymentForms: (get) => createStripeForms(get(ids.window), retryable(loadStripeLibrary)),
  keyring: (get) => createBrowserKeyring(get(ids.window), retryable(loadKeyWorkerClient)),
};

const bindings = new ContainerModule(({ bind }) => {
  const bindPort = <Name extends keyof NamedPorts>(name: Name): void => {
    bind(ports[name])
      .toDynamicValue(({ get }) => adapters[name](get))
      .inSingletonScope();
  };
  for (const name of Object.keys(ports) as (keyof NamedPorts)[]) bindPort(name);
  bind(ids.app)
    .toDynamicValue(({ get }) =>
      createApp(
        {
          http: get(ports.http),
          socket: get(ports.socket),
          storage: get(ports.storage),
          clock: get(ports.clock),
          random: get(ports.random),
          connectivity: get(ports.connectivity),
          page: get(ports.page),
          reporter: get(ports.reporter),
          tabs: get(ports.tabs),
          telemetry: get(ports.telemetry),
          patterns: get(ports.patterns),
          qrCode: get(ports.qrCode),
          paymentForms: get(ports.paymentForms),
          keyring: get(ports.keyring),
          authenticator: createBrowserAuthenticator(get(ids.window), retryable(loadWebauthn)),
        },
        {
          configuration: get(ids.configuration),
          baseAddress: get(ids.baseAddress),
          loadSignedIn: signedInCode.load,
          painted$: createPainted(get(ids.window)),
        },
      ),
    )
    .inSingletonScope();
});

/** The dependency container of the browser. */
export interface BrowserContainer {
  /** The ports that are used before the server's configuration is loaded. */
  readonly ports: Pick<Ports, "http" | "clock" | "storage">;
  readonly compose: (configuration: ClientConfiguration) => AppContextValue;
}

/** Binds the ports to the browser's adapters (RQ1, D3). Starts nothing and sends no request. */
export const createContainer = (
  window: Window & typeof globalThis,
  baseAddress: string,
): BrowserContainer => {
  const container = new Container({ jitless: true });
  container.bind(ids.window).toConstantValue(window);
  container.bind(ids.baseAddress).toConstantValue(baseAddress);
  container.load(bindings);
  return {
    ports: {
      http: container.get(ports.http),
      clock: container.get(ports.clock),
      storage: container.get(ports.storage),
    },
    compose: (configuration) => {
      container.bind(ids.configuration).toConstantValue(configuration);
      return { app: container.get(ids.app), reporter: container.get(ports.reporter) };
    },
  };
};
