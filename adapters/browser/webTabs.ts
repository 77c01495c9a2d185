import { fromEvent, NEVER, Observable, share } from "rxjs";
import { watchState } from "../../core/kernel/state.ts";
import type { Tabs } from "../../core/ports/tabs.ts";
import type { LeaseDeps } from "./tabMutex.ts";

/** The part of a browser window that the tabs port uses. */
export interface TabWindow {
  readonly document: Document;
  /** Has no locks when the page was not loaded over a secure connection. */
  readonly navigator: { readonly locks?: LockManager };
  readonly BroadcastChannel?: typeof BroadcastChannel;
}

/** Opens one channel for each name, so that a tab does not receive its own messages. */
const createChannels = (
  Channel: typeof BroadcastChannel,
  path: string,
): Pick<Tabs, "broadcast" | "messages"> => {
  const open = new Map<string, BroadcastChannel>();
  const messagesByName = new Map<string, Observable<string>>();
  const openChannel = (name: string): Observable<string> =>
    new Observable<string>((subscriber) => {
      const channel = new Channel(name + path);
      open.set(name, channel);
      channel.onmessage = ({ data }) => {
        if (typeof data === "string") subscriber.next(data);
      };
      return () => {
        open.delete(name);
        channel.close();
      };
    }).pipe(share());
  return {
    broadcast: (name, text) => {
      const channel = open.get(name) ?? new Channel(name + path);
      channel.postMessage(text);
      if (!open.has(name)) channel.close();
    },
    messages: (name) => {
      const messages$ = messagesByName.get(name) ?? openChannel(name);
      messagesByName.set(name, messages$);
      return messages$;
    },
  };
};

/** No channels: tabs learn of each other through the storage alone. */
const noChannels: Pick<Tabs, "broadcast" | "messages"> = { broadcast: () => {}, messages: () => NEVER };

interface WebTabsDeps extends LeaseDeps {
  /** The path of the app on its host, with which the names of channels and locks end; those in `storage` do so already. */
  readonly path?: string;
}

/** Creates the tabs port. The code for mutual exclusion loads with its first use; without it the work runs at once. */
export const createWebTabs = (window: TabWindow, { path = "", ...deps }: WebTabsDeps): Tabs => {
  const { document, navigator, BroadcastChannel: Channel } = window;
  return {
    runExclusive: (name, limits, work) =>
      import("./tabMutex.ts").then(
        ({ createTabMutex }) =>
          createTabMutex(navigator.locks, deps)(navigator.locks ? name + path : name, limits, work),
        () => work(false),
      ),
    ...(Channel ? createChannels(Channel, path) : noChannels),
    visible$: watchState(
      () => document.visibilityState !== "hidden",
      fromEvent(document, "visibilitychange"),
    ),
  };
};
