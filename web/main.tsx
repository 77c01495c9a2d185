import { createRoot } from "react-dom/client";
import { storedKeys } from "../core/storage/storedKeys.ts";
import { StartFailure } from "./app/CrashPage.tsx";
import { loadConfiguration } from "./app/loadConfiguration.ts";
import { type LineSource, whenLineIsCheap } from "./app/offline/costlyLine.ts";
import { loadOfflineSupport } from "./app/offline/loadOfflineSupport.ts";
import { prefetchSignedInPage, Shell } from "./app/Shell.tsx";
import { createContainer } from "./container.ts";
import { retryable } from "./loading/chunk.ts";
import { baseAddressOf } from "./navigation/baseAddress.ts";

const root = createRoot(document.getElementById("page") ?? document.body);

const showStartFailure = (): void => root.render(<StartFailure />);

const baseAddress = baseAddressOf(window);

/** The client configuration that the page's own server puts into the page; empty where it does not. */
const configurationInPage =
  document.querySelector<HTMLMetaElement>("meta[name=configuration]")?.content ?? "";

const start = async (): Promise<void> => {
  const { ports, compose } = createContainer(window, baseAddress);
  const { local } = ports.storage;
  if (local.read(storedKeys.authToken.name) !== null)
    prefetchSignedInPage(local.read(storedKeys.maskListSettings.name));
  const configuration = await loadConfiguration(ports, baseAddress, configurationInPage);
  if (configuration._tag === "Left") return showStartFailure();
  const { app, reporter } = compose(configuration.right);
  app.start();
  await app.firstScreenKnown();
  root.render(<Shell app={app} reporter={reporter} />);
};

const enableOffline = retryable(() => import("./app/offline/enableOffline.tsx"));

/** By then the first content has loaded, which caching all files must not delay; on a costly line they are not cached at all. */
const offlineSupportAfterMs = 5_000;

const startOfflineSupport = (): void => {
  setTimeout(
    () =>
      whenLineIsCheap(navigator as LineSource, () =>
        loadOfflineSupport(window, () => enableOffline().then((module) => module.enableOffline(window))),
      ),
    offlineSupportAfterMs,
  );
};

start().catch(showStartFailure);
if (document.readyState === "complete") startOfflineSupport();
else window.addEventListener("load", startOfflineSupport, { once: true });
