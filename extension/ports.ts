import { left } from "fp-ts/lib/Either.js";
import { NEVER } from "rxjs";
import { createNavigatorConnectivity } from "../adapters/browser/navigatorConnectivity.ts";
import { createTabMutex } from "../adapters/browser/tabMutex.ts";
import { createWindowPage } from "../adapters/browser/windowPage.ts";
import { systemClock } from "../adapters/system/clockAndRandom.ts";
import { fetchHttpWithoutCookies } from "../adapters/system/fetchHttp.ts";
import { openFetchTextStream } from "../adapters/system/fetchTextStream.ts";
import { createMemoryStorage, portsWithoutWindow } from "../adapters/system/portsWithoutWindow.ts";
import {
  keepFromPages,
  loadExtensionStorage,
  type StorageArea,
} from "../adapters/webExtension/extensionStorage.ts";
import { unavailable } from "../core/kernel/failure.ts";
import { createState } from "../core/kernel/state.ts";
import type { Page } from "../core/ports/page.ts";
import type { Ports } from "../core/ports/ports.ts";
import type { ExtensionPorts } from "./connection/connection.ts";
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

/** A token has no socket. */
const noSocket: Ports["socket"] = {
  open: () => ({ events$: NEVER, send: () => false, close: () => {} }),
};

/** Loads the ports that all parts of the extension have in common: they see the same stored values. */
const loadSharedPorts = async (api: WholeApi): Promise<Omit<ExtensionPorts, "page">> => {
  const local = await loadExtensionStorage(api.storage.local);
  const shared = portsWithoutWindow(systemClock);
  const { clock, random, tabs } = shared;
  return {
    ...shared,
    // The background and the popup send what waits, one at a time.
    tabs: { ...tabs, runExclusive: createTabMutex(navigator.locks, { storage: local, clock, random }) },
    connectivity: createNavigatorConnectivity(globalThis),
    openTextStream: openFetchTextStream,
    http: fetchHttpWithoutCookies,
    socket: noSocket,
    storage: { local, tab: createMemoryStorage() },
    isStored: local.isStored,
  };
};

/** A part of the extension: the browser that it runs in, and its ports, which are loaded once. */
interface OpenedPart {
  readonly api: ExtensionApi;
  readonly ports: () => Promise<ExtensionPorts>;
}

const openPart = (more: Pick<Ports, "page">, api: WholeApi = extensionApi()): OpenedPart => {
  let loading: Promise<ExtensionPorts> | undefined;
  return {
    api,
    ports: () => {
      loading ??= loadSharedPorts(api).then((shared) => ({ ...shared, ...more }));
      return loading;
    },
  };
};

/** Opens a window of the extension. */
export const openWindow = (window: Window): OpenedPart => openPart({ page: createWindowPage(window) });

/** Opens the background, which has no window. */
export const openBackground = (): OpenedPart => {
  const api = extensionApi();
  keepFromPages(api.storage.local).catch(() => undefined);
  return openPart({ page: noPage }, api);
};
