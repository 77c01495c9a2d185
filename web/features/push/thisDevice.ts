import type { NewPushDevice } from "../../../core/push/pushEndpoints.ts";

/** What keeps this browser from showing notifications; null for nothing. */
export type PushObstacle = "unsupported" | "blocked";

/** The subscription of this browser as the server takes it. */
type Subscribed = Pick<NewPushDevice, "endpoint" | "p256dh" | "auth">;

/** Returns the registration of the service worker, which notifications need; undefined where there is none. */
const findRegistration = async (window: Window): Promise<ServiceWorkerRegistration | undefined> =>
  window.navigator.serviceWorker?.getRegistration();

/** Returns what keeps this browser from showing notifications. */
export const findObstacle = async (window: Window & typeof globalThis): Promise<PushObstacle | null> => {
  if (!("Notification" in window) || !("PushManager" in window)) return "unsupported";
  if ((await findRegistration(window)) === undefined) return "unsupported";
  return window.Notification.permission === "denied" ? "blocked" : null;
};

const toBase64Url = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const findSubscription = async (window: Window): Promise<PushSubscription | null> =>
  (await (await findRegistration(window))?.pushManager.getSubscription()) ?? null;

/** The subscription of this browser: the mark by which the server names it, and the server's key that it was made for. */
export interface OwnSubscription {
  readonly mark: string;
  readonly key: string;
}

/** Returns the subscription of this browser; null without one. */
export const findOwn = async (window: Window): Promise<OwnSubscription | null> => {
  const subscription = await findSubscription(window);
  if (subscription === null) return null;
  const { endpoint, options } = subscription;
  const mark = toBase64Url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return { mark, key: toBase64Url(options.applicationServerKey) };
};

/** Ends the subscription of this browser, if it has one. */
export const unsubscribe = async (window: Window): Promise<void> => {
  await (await findSubscription(window))?.unsubscribe();
};

/**
 * Asks the user for the permission and subscribes this browser for a server with this key; null where the user does not give it.
 * Rejects when the browser's push service cannot be reached.
 */
export const subscribe = async (
  window: Window & typeof globalThis,
  key: string,
): Promise<Subscribed | null> => {
  if ((await window.Notification.requestPermission()) !== "granted") return null;
  const registration = await findRegistration(window);
  if (registration === undefined) return null;
  const { pushManager } = registration;
  const known = await pushManager.getSubscription();
  const isOfServer = known !== null && toBase64Url(known.options.applicationServerKey) === key;
  if (known !== null && !isOfServer) await known.unsubscribe();
  const subscription = isOfServer
    ? known
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return {
    endpoint: subscription.endpoint,
    p256dh: toBase64Url(subscription.getKey("p256dh")),
    auth: toBase64Url(subscription.getKey("auth")),
  };
};
