// inversify stores what it knows of modules and classes with it, and leaves to the app which version that is.
import "reflect-metadata/lite";
import { Container, type ResolutionContext, type ServiceIdentifier } from "inversify";
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
import { createApp } from "../core/app/createApp.ts";
import type { Ports } from "../core/ports/ports.ts";
import { signedInCode } from "./app/firstChunks.ts";
import { retryable } from "./loading/chunk.ts";
import { takeEarlyList } from "./loading/earlyList.ts";
import { pathOf } from "./navigation/baseAddress.ts";
import type { AppContextValue } from "./react/useApp.ts";

const named = <A>(name: string): ServiceIdentifier<A> => Symbol.for(`bauta.${name}`);

const ids = {
  window: named<Window & typeof globalThis>("window"),
  configuration: named<ClientConfiguration>("configuration"),
  baseAddress: named<string>("baseAddress"),
};

const portId = <Name extends keyof Ports>(name: Name): ServiceIdentifier<Ports[Name]> =>
  named(`port.${name}`);

type Get = ResolutionContext["get"];

const pathIn = (get: Get): string => pathOf(get(ids.baseAddress));

/** Creates each port from the others and from the configuration, once, when it is first needed. */
const adapters: { readonly [Name in keyof Ports]: (get: Get) => Ports[Name] } = {
  http: (get) => withEarlyResponse((url, token) => takeEarlyList(get(ids.window), url, token))(fetchHttp),
  socket: (get) => createWebSocketSocket(() => get(ids.window).location.href),
  storage: (get) => createWebStorage(get(ids.window), pathIn(get)),
  clock: () => systemClock,
  random: () => cryptoRandom,
  connectivity: (get) => createNavigatorConnectivity(get(ids.window)),
  page: (get) => createWindowPage(get(ids.window), pathIn(get)),
  reporter: (get) => createSentryReporter(get(ids.configuration).sentryDsn, retryable(loadSentryClient)),
  tabs: (get) =>
    createWebTabs(get(ids.window), {
      storage: get(portId("storage")).local,
      clock: get(portId("clock")),
      random: get(portId("random")),
      path: pathIn(get),
    }),
  telemetry: (get) =>
    createOtelTelemetry(
      get(ids.configuration).telemetryEndpoint,
      {
        serviceName: get(ids.configuration).brand,
        environment: flagsOf(get(ids.configuration)).developmentMode ? "development" : "production",
        clock: get(portId("clock")),
        random: get(portId("random")),
      },
      retryable(loadOtlpClient),
    ),
  patterns: () => retryable(loadRe2Patterns),
  qrCode: () => createQrCodeWriter(retryable(loadQrCode)),
  paymentForms: (get) => createStripeForms(get(ids.window), retryable(loadStripeLibrary)),
  authenticator: (get) => createBrowserAuthenticator(get(ids.window), retryable(loadWebauthn)),
  keyring: (get) => createBrowserKeyring(get(ids.window), retryable(loadKeyWorkerClient), pathIn(get)),
};

const portNames = Object.keys(adapters) as readonly (keyof Ports)[];

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
  for (const name of portNames)
    container
      .bind<unknown>(portId(name))
      .toDynamicValue(({ get }) => adapters[name](get))
      .inSingletonScope();
  return {
    ports: {
      http: container.get(portId("http")),
      clock: container.get(portId("clock")),
      storage: container.get(portId("storage")),
    },
    compose: (configuration) => {
      container.bind(ids.configuration).toConstantValue(configuration);
      const created = Object.fromEntries(
        portNames.map((name) => [name, container.get<unknown>(portId(name))]),
      );
      const app = createApp(created as unknown as Ports, {
        configuration,
        baseAddress,
        loadSignedIn: signedInCode.load,
        painted$: createPainted(window),
      });
      return { app, reporter: container.get(portId("reporter")) };
    },
  };
};
