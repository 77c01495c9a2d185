import { JSDOM } from "jsdom";

/** Creates a separate window for one test, with APIs that jsdom lacks. */
export const openWindow = () => {
  const { window } = new JSDOM("<!doctype html><html><head></head><body></body></html>", {
    url: "http://localhost:3000/",
    storageQuota: 60_000,
  });
  const media = new Map<string, EventTarget & { matches: boolean }>();
  const clipboard: { text: string | null; refuses: boolean } = { text: null, refuses: false };
  const matchMedia = (query: string): EventTarget => {
    const list = media.get(query) ?? Object.assign(new EventTarget(), { matches: false });
    media.set(query, list);
    return list;
  };
  const writeText = async (text: string): Promise<void> => {
    if (clipboard.refuses) throw new Error("NotAllowedError");
    clipboard.text = text;
  };
  Object.defineProperty(window, "matchMedia", { value: matchMedia });
  Object.defineProperty(window.navigator, "clipboard", { value: { writeText } });
  return {
    window: window as unknown as Window,
    clipboard,
    setMedia: (query: string, matches: boolean): void => {
      const list = media.get(query);
      if (!list) throw new Error(`nobody asked for ${query}`);
      list.matches = matches;
      list.dispatchEvent(new Event("change"));
    },
    dispatch: (type: string): void => {
      window.dispatchEvent(new window.Event(type));
    },
    setOnline: (isOnline: boolean): void => {
      Object.defineProperty(window.navigator, "onLine", { value: isOnline, configurable: true });
      window.dispatchEvent(new window.Event(isOnline ? "online" : "offline"));
    },
    /** Dispatches the event of another tab's write or removal; a null key means that the storage was cleared. */
    storageEvent: (key: string | null, newValue: string | null): void => {
      const storageArea = window.localStorage;
      window.dispatchEvent(new window.StorageEvent("storage", { key, newValue, storageArea }));
    },
  };
};
