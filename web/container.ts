import { createNavigatorConnectivity } from "../adapters/browser/navigatorConnectivity.ts";
import { createWebSocketSocket } from "../adapters/browser/webSocketSocket.ts";
import { createWebStorage } from "../adapters/browser/webStorage.ts";
import { createWebTabs } from "../adapters/browser/webTabs.ts";
import { createWindowPage } from "../adapters/browser/windowPage.ts";
import { createBrowserKeyring, loadKeyWorkerClient } from "../adapters/openpgp/browserKeyring.ts";
import { createOtelTelemetry, loadOtlpClient } from "../adapters/otel/otelTelemetry.ts";
import { createQrCodeWriter, loadQrCode } from "../adapters/qrcode/qrCodeWriter.ts";
import { loadRe2Patterns } from "../adapters/re2/re2Patterns.ts";
import { createSentryReporter, loadSentryClient } from "../adapters/sentry/sentryReporter.ts";
import { createStripeForms, loadStripeLibrary } from "../adapters/stripe/stripeForms.ts";
import { cryptoRandom, systemClock } from "../adapters/system/clockAndRandom.ts";
import { fetchHttp } from "../adapters/system/fetchHttp.ts";
import { type ClientConfiguration, flagsOf } from "../core/api/configuration.ts";
import { createApp } from "../core/app/createApp.ts";
import type { Ports } from "../core/ports/ports.ts";
import { signedInCode } from "./app/firstChunks.ts";
import { retryable } from "./loading/chunk.ts";
import type { AppContextValue } from "./react/useApp.ts";

/** The composition root of the browser. */
export interface BrowserContainer {
  /** The ports that are used before the server's configuration is loaded. */
  readonly ports: Pick<Ports, "http" | "clock" | "storage">;
  /** Creates the app for this browser and this configuration. */
  readonly compose: (configuration: ClientConfiguration) => AppContextValue;
}

/** Binds the ports to the browser's adapters (RQ1, D3). Starts nothing and sends no request. */
export const createContainer = (
  window: Window & typeof globalThis,
  baseAddress: string,
): BrowserContainer => {
  const early = { http: fetchHttp, clock: systemClock, storage: createWebStorage(window) };
  const { clock, storage } = early;
  const random = cryptoRandom;
  return {
    ports: early,
    compose: (configuration) => {
      const reporter = createSentryReporter(configuration.sentryDsn, retryable(loadSentryClient));
      const ports: Ports = {
        ...early,
        random,
        reporter,
        socket: createWebSocketSocket(() => window.location.href),
        connectivity: createNavigatorConnectivity(window),
        page: createWindowPage(window),
        tabs: createWebTabs(window, { storage: storage.local, clock, random }),
        telemetry: createOtelTelemetry(
          configuration.telemetryEndpoint,
          {
            serviceName: configuration.brand,
            environment: flagsOf(configuration).developmentMode ? "development" : "production",
            clock,
            random,
          },
          retryable(loadOtlpClient),
        ),
        patterns: retryable(loadRe2Patterns),
        qrCode: createQrCodeWriter(retryable(loadQrCode)),
        paymentForms: createStripeForms(window, retryable(loadStripeLibrary)),
        keyring: createBrowserKeyring(window, retryable(loadKeyWorkerClient)),
      };
      const app = createApp(ports, { configuration, baseAddress, loadSignedIn: signedInCode.load });
      return { app, reporter };
    },
  };
};
