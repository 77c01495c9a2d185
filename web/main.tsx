import { createRoot } from "react-dom/client";
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

const start = async (): Promise<void> => {
  const { ports, compose } = makeContainer(window, baseAddress);
  if (ports.storage.local.read(storedKeys.authToken.name) !== null) prefetchFrame();
  const configuration = await loadConfiguration(ports, baseAddress);
  if (configuration._tag === "Left") return fail();
  const { app, reporter } = compose(configuration.right);
  app.start();
  root.render(<Shell app={app} reporter={reporter} />);
};

start().catch(fail);
