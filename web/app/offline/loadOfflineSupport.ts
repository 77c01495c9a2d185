/** The time after which a failed load is tried again although no event has announced a network. */
const retryAfterMs = 60_000;

/** Loads the offline support; after a failure again when the network is back, or a minute later. */
export const loadOfflineSupport = (window: Window, load: () => Promise<void>): void => {
  load().catch(() => {
    const again = (): void => {
      window.removeEventListener("online", again);
      window.clearTimeout(timer);
      loadOfflineSupport(window, load);
    };
    const timer = window.setTimeout(again, retryAfterMs);
    window.addEventListener("online", again);
  });
};
