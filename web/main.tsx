import { createRoot } from "react-dom/client";
import { loadLive, loadMasks } from "../core/lateParts.ts";
import { storedKeys } from "../core/storage/storedKeys.ts";
import { makeContainer } from "./container.ts";
import { loadConfiguration } from "./loadConfiguration.ts";
import { prefetchFrame } from "./shell/frame.ts";
import { Shell } from "./shell/Shell.tsx";
import { StartFailure } from "./shell/StartFailure.tsx";

const root = createRoot(document.getElementById("page") ?? document.body);

const fail = (): void => root.render(<StartFailure />);

/** Another server than the one the page came from, if the page names one (D3). */
const baseAddress = document.querySelector<HTMLMetaElement>("meta[name=base-address]")?.content ?? "";

/** Fetches what is needed right after the start when somebody is signed in; whoever needs it deals with a failure. */
const prefetch = (): void => {
  prefetchFrame();
  for (const load of [loadLive, loadMasks]) load().catch(() => undefined);
};

const start = async (): Promise<void> => {
  const { ports, compose } = makeContainer(window, baseAddress);
  if (ports.storage.local.read(storedKeys.authToken.name) !== null) prefetch();
  const configuration = await loadConfiguration(ports, baseAddress);
  if (configuration._tag === "Left") return fail();
  const { app, reporter } = compose(configuration.right);
  app.start();
  root.render(<Shell app={app} reporter={reporter} />);
};

/** Once all that is needed now has come. */
const keepOffline = (): void => {
  import("./offline/keepOffline.tsx").then((module) => module.keepOffline(window)).catch(() => undefined);
};

start().catch(fail);
if (document.readyState === "complete") keepOffline();
else window.addEventListener("load", keepOffline, { once: true });
