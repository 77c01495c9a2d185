import { left } from "fp-ts/lib/Either.js";
import { NEVER } from "rxjs";
import { createNavigatorConnectivity } from "../adapters/browser/navigatorConnectivity.ts";
import { createWindowPage } from "../adapters/browser/windowPage.ts";
import { systemClock } from "../adapters/system/clockAndRandom.ts";
import { fetchHttpWithoutCookies } from "../adapters/system/fetchHttp.ts";
import { createMemoryStorage, portsWithoutWindow } from "../adapters/system/portsWithoutWindow.ts";
import { loadExtensionStorage, type StorageArea } from "../adapters/webExtension/extensionStorage.ts";
import { unavailable } from "../core/kernel/failure.ts";
import { createState } from "../core/kernel/state.ts";
import type { Page } from "../core/ports/page.ts";
import type { Ports } from "../core/ports/ports.ts";
import type { ExtensionApi } from "./extensionApi.ts";

interface WholeApi extends ExtensionApi {
  readonly storage: { readonly local: StorageArea };
}

/** Returns the browser as it shows itself to an extension, with a storage. */
const extensionApi = (): WholeApi => {
  const { browser, chrome } = globalThis as { readonly browser?: WholeApi; readonly chrome?: WholeApi };
  const api = browser ?? chrome;
  if (api === undefined) throw new Error("this script runs in an extension only");
  return api;
};

const noPage: Page = {
  path$: createState("/"),
  navigate: () => {},
  systemTheme$: createState("light"),
  showTheme: () => {},
  narrow$: createState(true),
  copy: () => async () => left(unavailable("there is no window")),
  cookie: () => null,
  expireCookie: () => {},
};

/** The ports of a part of the extension, and the browser that it runs in. */
export interface ExtensionPorts {
  readonly api: ExtensionApi;
  readonly ports: Ports;
}

/** A token has no socket. */
const noSocket: Ports["socket"] = {
  open: () => ({ events$: NEVER, send: () => false, close: () => {} }),
};

/** Creates the ports of a window of the extension. */
export const loadWindowPorts = async (window: Window): Promise<ExtensionPorts> => {
  const api = extensionApi();
  const local = await loadExtensionStorage(api.storage.local);
  return {
    api,
    ports: {
      ...portsWithoutWindow(systemClock),
      http: fetchHttpWithoutCookies,
      socket: noSocket,
      storage: { local, tab: createMemoryStorage() },
      connectivity: createNavigatorConnectivity(window),
      page: createWindowPage(window),
    },
  };
};

const loadBackgroundPorts = async (api: WholeApi): Promise<Ports> => ({
  ...portsWithoutWindow(systemClock),
  http: fetchHttpWithoutCookies,
  socket: noSocket,
  storage: { local: await loadExtensionStorage(api.storage.local), tab: createMemoryStorage() },
  page: noPage,
});

/**
 * Opens the background, which has no window. Its ports are loaded when they are first needed, because the browser expects a
 * background that it wakes to listen at once.
 */
export const openBackground = (): { readonly api: ExtensionApi; readonly ports: () => Promise<Ports> } => {
  const api = extensionApi();
  let loading: Promise<Ports> | undefined;
  return {
    api,
    ports: () => {
      loading ??= loadBackgroundPorts(api);
      return loading;
    },
  };
};
