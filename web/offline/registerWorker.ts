import { hourMs } from "../../core/kernel/durations.ts";

/** What of the browser's policy for addresses of scripts this needs (W3C Trusted Types). */
interface TrustedTypes {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: () => string },
  ) => { readonly createScriptURL: (input: string) => string };
}

const script = "/serviceWorker.js";
/** What the worker does when it hears it. */
const takeOver = "take over";
/** A page that stays open looks for a new version when it is looked at, at most this often. */
const lookEachMs = hourMs;

/** The one address that may become a worker, whatever is asked for. */
const trustedScript = (window: Window): string => {
  const { trustedTypes } = window as Window & { readonly trustedTypes?: TrustedTypes };
  return (
    trustedTypes?.createPolicy("serviceWorker", { createScriptURL: () => script }).createScriptURL("") ??
    script
  );
};

/**
 * Has the page kept by its service worker, so that it opens without a network. `ready` is told when a new version is
 * here and waits; what it is given makes that version's page load in the place of this one. Does nothing in browsers
 * without service workers, and over connections that are not secure.
 */
export const registerWorker = async (window: Window, ready: (take: () => void) => void): Promise<void> => {
  const { serviceWorker } = window.navigator;
  if (serviceWorker === undefined) return;
  const reload = (): void => window.location.reload();
  const offer = (worker: ServiceWorker): void => {
    const isFirst = serviceWorker.controller === null;
    if (isFirst) return;
    ready(() => {
      if (worker.state !== "installed") return reload();
      serviceWorker.addEventListener("controllerchange", reload, { once: true });
      worker.postMessage(takeOver);
    });
  };
  const registration = await serviceWorker.register(trustedScript(window), { updateViaCache: "none" });
  if (registration.waiting) offer(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => {
      if (worker.state === "installed") offer(worker);
    });
  });
  let lookedAt = Date.now();
  window.document.addEventListener("visibilitychange", () => {
    if (window.document.visibilityState !== "visible" || Date.now() - lookedAt < lookEachMs) return;
    lookedAt = Date.now();
    registration.update().catch(() => undefined);
  });
};
