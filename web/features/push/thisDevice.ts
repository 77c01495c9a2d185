import { baseAddressOf, pathOf } from "../../navigation/baseAddress.ts";
import {
  endSubscription,
  keepSubscription,
  renewSubscription,
  type Subscribed,
  type Subscribing,
  toBase64Url,
  toSubscribed,
} from "./subscription.ts";

/** What keeps this browser from showing notifications; null for nothing. */
export type PushObstacle = "unsupported" | "blocked";

/** Returns the registration of the service worker, which notifications need; undefined where there is none. */
const findRegistration = async (window: Window): Promise<ServiceWorkerRegistration | undefined> =>
  window.navigator.serviceWorker?.getRegistration();

/** Returns what keeps this browser from showing notifications. */
export const findObstacle = async (window: Window & typeof globalThis): Promise<PushObstacle | null> => {
  if (!("Notification" in window) || !("PushManager" in window)) return "unsupported";
  if ((await findRegistration(window)) === undefined) return "unsupported";
  return window.Notification.permission === "denied" ? "blocked" : null;
};

/** Returns where this browser has its subscription; undefined where it can have none. */
const findSubscribing = async (window: Window & typeof globalThis): Promise<Subscribing | undefined> => {
  const registration = await findRegistration(window);
  if (!registration) return undefined;
  const { caches } = window;
  return { path: pathOf(baseAddressOf(window)), caches, pushManager: registration.pushManager };
};

/** The subscription of this browser: the mark by which the server names it, and the server's key that it was made for. */
export interface OwnSubscription {
  readonly mark: string;
  readonly key: string;
}

/** Returns the subscription of this browser; null without one. */
export const findOwn = async (window: Window): Promise<OwnSubscription | null> => {
  const subscription = await (await findRegistration(window))?.pushManager.getSubscription();
  if (!subscription) return null;
  const { endpoint, options } = subscription;
  const mark = toBase64Url(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return { mark, key: toBase64Url(options.applicationServerKey) };
};

/** Ends the subscription of this browser, if it has one. */
export const unsubscribe = async (window: Window & typeof globalThis): Promise<void> => {
  const around = await findSubscribing(window);
  if (around) await endSubscription(around);
};

/** Keeps the subscription of this browser, which the server has, in case that the browser replaces it. */
export const keepOwn = async (window: Window & typeof globalThis): Promise<void> => {
  const around = await findSubscribing(window);
  const subscription = await around?.pushManager.getSubscription();
  if (around && subscription) await keepSubscription(around, subscription);
};

/** Has the server send to this browser as before where it has replaced or lost its subscription. */
export const renewOwn = async (window: Window & typeof globalThis): Promise<void> => {
  const around = await findSubscribing(window);
  if (around) await renewSubscription(around);
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
  const around = await findSubscribing(window);
  if (around === undefined) return null;
  const { pushManager } = around;
  const known = await pushManager.getSubscription();
  const isOfServer = known !== null && toBase64Url(known.options.applicationServerKey) === key;
  if (known !== null && !isOfServer) await known.unsubscribe();
  const subscription = isOfServer
    ? known
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await keepSubscription(around, subscription);
  return toSubscribed(subscription);
};
