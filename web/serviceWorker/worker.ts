// Keeps the page's own files, so that it opens without a network. Never an answer of the server: what the product keeps
// of those, it keeps itself, in its user's name, and a logout removes it.

interface Shell {
  /** Another one for each build that differs. */
  readonly version: string;
  /** What the page must name to belong to this version. */
  readonly main: string;
  /** Paths of all files of this version but the page. */
  readonly files: readonly string[];
}

/** Put in by the build. */
declare const __SHELL__: Shell;

const shell: Shell = __SHELL__;
const worker = self as unknown as ServiceWorkerGlobalScope;

const prefix = "shell-";
const cacheName = prefix + shell.version;
const page = "/";
/** Addresses that show the page when it is opened; others are the server's own documents. */
const pagePaths: ReadonlySet<string> = new Set([page, "/login"]);
const files: ReadonlySet<string> = new Set(shell.files);
/** How long a network that says nothing is waited for, in milliseconds, before the page is opened as it was kept. */
const patienceMs = 4_000;

const matching = { ignoreSearch: true, ignoreVary: true } as const;

const fetched = async (path: string, options: RequestInit): Promise<Response> => {
  const response = await fetch(path, { credentials: "omit", ...options });
  if (!response.ok || response.redirected) throw new Error(`${path} answered ${response.status}`);
  return response;
};

/** A file named by its content is the same in every version. */
const isNamedByContent = (path: string): boolean => path.startsWith("/assets/");

const keep = async (cache: Cache, path: string): Promise<void> => {
  if (await cache.match(path, matching)) return;
  const known = isNamedByContent(path) ? await caches.match(path, matching) : undefined;
  await cache.put(path, known ?? (await fetched(path, isNamedByContent(path) ? {} : { cache: "no-cache" })));
};

/** One after the other: it is for later, and the page has more urgent requests. */
const keepAll = async (): Promise<void> => {
  const cache = await caches.open(cacheName);
  for (const path of shell.files) await keep(cache, path);
  const now = await fetched(page, { cache: "no-store", headers: { accept: "text/html" } });
  if (!(await now.clone().text()).includes(shell.main)) throw new Error("The page is of another version");
  await cache.put(page, now);
};

/** All of a version or nothing of it; the next try finds most of it in the browser's own cache. */
const install = (): Promise<void> =>
  keepAll().catch(async (error: unknown) => {
    await caches.delete(cacheName);
    throw error;
  });

/** The version before is left: a tab that still shows it may need one of its late files. */
const tidy = async (): Promise<void> => {
  const others = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  for (const name of others.slice(0, -1)) await caches.delete(name);
};

const keptPage = async (): Promise<Response | undefined> =>
  (await caches.open(cacheName)).match(page, matching);

/** A proxy whose server is down answers in its place. */
const isFromServer = ({ status }: Response): boolean => status < 502 || status > 504;

const openPage = async ({ request, preloadResponse }: FetchEvent): Promise<Response> => {
  const asked = (async (): Promise<Response> => {
    const preloaded: Response | undefined = await preloadResponse;
    return preloaded ?? fetch(request);
  })();
  asked.catch(() => undefined);
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), patienceMs));
  const answer = await Promise.race([asked, late]).catch(() => undefined);
  if (answer && isFromServer(answer)) return answer;
  return (await keptPage()) ?? asked;
};

const openFile = async (request: Request): Promise<Response> =>
  (await (await caches.open(cacheName)).match(request, matching)) ??
  (await caches.match(request, matching)) ??
  fetch(request);

worker.addEventListener("install", (event) => event.waitUntil(install()));

worker.addEventListener("activate", (event) => {
  const begin = async (): Promise<void> => {
    await tidy();
    await worker.registration.navigationPreload?.enable();
    await worker.clients.claim();
  };
  event.waitUntil(begin());
});

worker.addEventListener("message", ({ data }) => {
  if (data === "take over") void worker.skipWaiting();
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate") {
    if (pagePaths.has(pathname)) event.respondWith(openPage(event));
  } else if (files.has(pathname) || isNamedByContent(pathname)) event.respondWith(openFile(request));
});
