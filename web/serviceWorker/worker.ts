// Caches the page's own files, so that it opens without a network. Server responses are not cached here: the app
// stores its data per user and removes it at logout.
import { isLineCostly, type LineSource } from "../app/offline/costlyLine.ts";
import { renewSubscription } from "../features/push/subscription.ts";
import { openNotification, showPushed } from "./notifications.ts";
import { sharedPlace, sharePath } from "./sharedPage.ts";

interface Shell {
  /** Identifies the build. */
  readonly version: string;
  /** The main script, which the page's HTML must reference to belong to this version. */
  readonly main: string;
  /** Paths of all files of this version except the page, below the address of the app. */
  readonly files: readonly string[];
}

/** Defined by the build. */
declare const __SHELL__: Shell;

const shell: Shell = __SHELL__;
declare const self: ServiceWorkerGlobalScope;

/** The path of the app: below it lies all that this worker serves. */
const page = new URL(".", self.location.href).pathname;
const prefix = `${page.slice(1)}shell-`;
const cacheName = prefix + shell.version;
/** Paths that open the page; other paths are documents of the server. */
const pagePaths: ReadonlySet<string> = new Set(["", "login", "operator", "developers"]);
const files: ReadonlySet<string> = new Set(shell.files);
/** The time to wait for the network, in milliseconds, before the cached page is opened although it is not the newest. */
const networkTimeoutMs = 4_000;

const matchOptions = { ignoreSearch: true, ignoreVary: true } as const;

const fetchOk = async (path: string, options: RequestInit): Promise<Response> => {
  const response = await fetch(path, { credentials: "omit", ...options });
  if (!response.ok || response.redirected) throw new Error(`${path} answered ${response.status}`);
  return response;
};

/** True if the file's name contains a hash of its content, so that it is the same in every version. */
const isNamedByContent = (path: string): boolean => path.startsWith("assets/");

/** The path of an address below that of the app; null elsewhere. */
const pathBelow = ({ origin, pathname }: URL): string | null =>
  origin === self.location.origin && pathname.startsWith(page) ? pathname.slice(page.length) : null;

const cacheFile = async (cache: Cache, path: string): Promise<void> => {
  if (await cache.match(path, matchOptions)) return;
  const cached = isNamedByContent(path) ? await caches.match(path, matchOptions) : undefined;
  await cache.put(path, cached ?? (await fetchOk(path, isNamedByContent(path) ? {} : { cache: "no-cache" })));
};

/** Caches all files sequentially, because the page's own requests are more urgent. */
const cacheAllFiles = async (): Promise<void> => {
  const cache = await caches.open(cacheName);
  for (const path of shell.files) await cacheFile(cache, path);
  const pageResponse = await fetchOk(page, { cache: "no-store", headers: { accept: "text/html" } });
  if (!(await pageResponse.clone().text()).includes(shell.main))
    throw new Error("The page is of another version");
  await cache.put(page, pageResponse);
};

/**
 * Caches a version completely or not at all; a retry finds most files in the browser's HTTP cache. On a costly line the
 * browser tries again at a later visit, and the page comes from the server meanwhile.
 */
const install = (): Promise<void> =>
  (isLineCostly(self.navigator as LineSource)
    ? Promise.reject(new Error("The line is costly"))
    : cacheAllFiles()
  ).catch(async (error: unknown) => {
    await caches.delete(cacheName);
    throw error;
  });

/** Deletes old caches except the previous version's, because an open tab may still load its files. */
const deleteOldCaches = async (): Promise<void> => {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  for (const name of others.slice(0, -1)) await caches.delete(name);
};

const cachedPage = async (): Promise<Response | undefined> =>
  (await caches.open(cacheName)).match(page, matchOptions);

/** True if a response comes from the server; 502 to 504 come from a proxy whose server is down. */
const isFromServer = ({ status }: Response): boolean => status < 502 || status > 504;

/**
 * Takes over what the server says about the page, such as its configuration, for the next visit. Where it sends
 * another page, or none, as a proxy does that asks people to sign in, the next visit gets what the server sends.
 */
const refreshPage = async (fromNetwork: Promise<Response>): Promise<void> => {
  const response = await fromNetwork.catch(() => undefined);
  if (response === undefined || !isFromServer(response)) return;
  const cache = await caches.open(cacheName);
  const isSame = response.ok && !response.redirected && (await response.clone().text()).includes(shell.main);
  if (isSame) await cache.put(page, response);
  else await cache.delete(page, matchOptions);
};

const openFromNetwork = async (
  fromNetwork: Promise<Response>,
  cached: Response | undefined,
): Promise<Response> => {
  const timeout = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), networkTimeoutMs));
  const response = await Promise.race([fromNetwork, timeout]).catch(() => undefined);
  if (response && isFromServer(response)) return response;
  return cached ?? fromNetwork;
};

/** Opens the cached page at once; while another version waits, the page of the server, so that a visit gets it. */
const openPage = async (fromNetwork: Promise<Response>): Promise<Response> => {
  const cached = await cachedPage();
  const isNewest = self.registration.waiting === null;
  return cached !== undefined && isNewest ? cached : openFromNetwork(fromNetwork, cached);
};

const openFile = async (request: Request): Promise<Response> =>
  (await (await caches.open(cacheName)).match(request, matchOptions)) ??
  (await caches.match(request, matchOptions)) ??
  fetch(request);

self.addEventListener("install", (event) => event.waitUntil(install()));

self.addEventListener("activate", (event) => {
  const begin = async (): Promise<void> => {
    await deleteOldCaches();
    // NOTE: a preload would save the start of the worker, but Firefox shows its own error page when one fails, whatever the worker
    // responds with.
    await self.registration.navigationPreload?.disable();
    await self.clients.claim();
  };
  event.waitUntil(begin());
});

self.addEventListener("message", ({ data }) => {
  if (data === "take over") void self.skipWaiting();
});

self.addEventListener("push", (event) => event.waitUntil(showPushed(self, event.data)));

self.addEventListener("notificationclick", (event) => event.waitUntil(openNotification(self, event)));

self.addEventListener("pushsubscriptionchange", (event) => {
  const around = { path: page.slice(0, -1), caches, pushManager: self.registration.pushManager };
  // What fails now is made up for when the app is opened.
  event.waitUntil(renewSubscription(around, event.oldSubscription).catch(() => undefined));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = pathBelow(new URL(request.url));
  if (request.method === "POST" && path === sharePath)
    event.respondWith(
      sharedPlace(request).then((place) => Response.redirect(new URL(place, self.location.href), 303)),
    );
  if (request.method !== "GET" || path === null) return;
  if (request.mode === "navigate") {
    if (!pagePaths.has(path)) return;
    const fromNetwork = fetch(request);
    event.respondWith(openPage(fromNetwork));
    event.waitUntil(refreshPage(fromNetwork.then((response) => response.clone())));
  } else if (files.has(path) || isNamedByContent(path)) event.respondWith(openFile(request));
});
