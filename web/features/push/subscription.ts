// The subscription of this browser, which the page and its service worker renew alike.

/** A subscription as the server takes it. */
export interface Subscribed {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** What is known of a subscription that the browser has replaced. */
interface Former extends Pick<Subscribed, "endpoint" | "auth"> {
  /** The key of the server that it was made for. */
  readonly key: string;
}

/** Where this browser keeps and makes its subscription. */
export interface Subscribing {
  /** The path of the app on its host, without a slash at its end; empty where the app has the host to itself. */
  readonly path: string;
  readonly caches: Pick<CacheStorage, "open" | "delete">;
  readonly pushManager: Pick<PushManager, "getSubscription" | "subscribe">;
}

const cacheNameOf = ({ path }: Pick<Subscribing, "path">): string => `push${path}`;
const keptAt = "/push/subscription";

export const toBase64Url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export const toSubscribed = (subscription: PushSubscription): Subscribed => ({
  endpoint: subscription.endpoint,
  p256dh: toBase64Url(subscription.getKey("p256dh")),
  auth: toBase64Url(subscription.getKey("auth")),
});

const toFormer = (subscription: PushSubscription): Former => ({
  endpoint: subscription.endpoint,
  auth: toBase64Url(subscription.getKey("auth")),
  key: toBase64Url(subscription.options.applicationServerKey),
});

/** Keeps what proves a later subscription to be of this browser, which need not say what it has replaced. */
export const keepSubscription = async (
  around: Pick<Subscribing, "caches" | "path">,
  subscription: PushSubscription,
): Promise<void> => {
  const cache = await around.caches.open(cacheNameOf(around));
  await cache.put(keptAt, new Response(JSON.stringify(toFormer(subscription))));
};

const findKept = async (around: Subscribing): Promise<Former | null> => {
  const response = await (await around.caches.open(cacheNameOf(around))).match(keptAt);
  return response === undefined ? null : ((await response.json()) as Former);
};

/** Ends the subscription of this browser, if it has one, and forgets it. */
export const endSubscription = async (around: Subscribing): Promise<void> => {
  await around.caches.delete(cacheNameOf(around));
  await (await around.pushManager.getSubscription())?.unsubscribe();
};

/** Tells the server of a subscription in place of a former one; false when it does not know that one. */
const renew = async (path: string, former: Former, subscription: PushSubscription): Promise<boolean> => {
  const { endpoint, auth } = former;
  const { ok, status } = await fetch(`${path}/push/subscription`, {
    method: "PUT",
    credentials: "omit",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ ...toSubscribed(subscription), former: { endpoint, auth } }),
  });
  if (!ok && status !== 404) throw new Error(`the server answered ${status}`);
  return ok;
};

/**
 * Has the server send to the subscription that the browser has made, or makes now, in place of a former one; ends it where the
 * server does not know that one. Rejects where the server or the push service cannot be reached, to be tried again later.
 */
export const renewSubscription = async (
  around: Subscribing,
  replaced: PushSubscription | null = null,
): Promise<void> => {
  const { path, pushManager } = around;
  const known = await pushManager.getSubscription();
  const former = replaced === null ? await findKept(around) : toFormer(replaced);
  if (former === null || former.endpoint === known?.endpoint) return;
  const options = { userVisibleOnly: true, applicationServerKey: former.key };
  const subscription = known ?? (await pushManager.subscribe(options));
  if (await renew(path, former, subscription)) await keepSubscription(around, subscription);
  else await endSubscription(around);
};
