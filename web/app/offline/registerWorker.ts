import { ageMs } from "../../../core/kernel/age.ts";
import { hourMs } from "../../../core/kernel/durations.ts";
import { baseAddressOf, pathOf } from "../../navigation/baseAddress.ts";

/** The message that makes a waiting worker active. */
const activateMessage = "take over";
/** The minimum time between update checks, which run when the page becomes visible. */
const minUpdateCheckIntervalMs = hourMs;

const trustedScriptUrls = new WeakMap<Window, string>();

/**
 * Returns the URL of the service worker script, as a Trusted Type where the browser supports them. A page may create a
 * policy only once, while a failed registration is retried.
 */
const trustedScriptUrl = (window: Window): string => {
  const created = trustedScriptUrls.get(window);
  if (created !== undefined) return created;
  const scriptUrl = `${pathOf(baseAddressOf(window))}/serviceWorker.js`;
  const policy = window.trustedTypes?.createPolicy("serviceWorker", { createScriptURL: () => scriptUrl });
  const trusted = policy?.createScriptURL("") ?? scriptUrl;
  trustedScriptUrls.set(window, trusted);
  return trusted;
};

/**
 * Registers the service worker, so that the page opens without a network. Calls `onReady` when a new version is waiting,
 * with a function that activates it and reloads the page. Does nothing in browsers without service workers and over
 * insecure connections.
 */
export const registerWorker = async (
  window: Window,
  onReady: (activate: () => void) => void,
): Promise<void> => {
  const { serviceWorker } = window.navigator;
  if (serviceWorker === undefined) return;
  const reload = (): void => window.location.reload();
  const offerUpdate = (worker: ServiceWorker): void => {
    onReady(() => {
      if (worker.state !== "installed") return reload();
      serviceWorker.addEventListener("controllerchange", reload, { once: true });
      worker.postMessage(activateMessage);
    });
  };
  const registration = await serviceWorker.register(trustedScriptUrl(window), { updateViaCache: "none" });
  if (registration.waiting) offerUpdate(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    // NOTE: `controller === null` does not tell the first worker: in WebKit it controls the page already when the page hears that
    // it is installed.
    const isFirst = registration.active === null;
    worker?.addEventListener("statechange", () => {
      if (worker.state === "installed" && !isFirst) offerUpdate(worker);
    });
  });
  let lastCheckedAt = Date.now();
  window.document.addEventListener("visibilitychange", () => {
    if (
      window.document.visibilityState !== "visible" ||
      ageMs(lastCheckedAt, Date.now()) < minUpdateCheckIntervalMs
    )
      return;
    lastCheckedAt = Date.now();
    registration.update().catch(() => undefined);
  });
};
