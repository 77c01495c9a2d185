import { fromEvent, NEVER, Observable, share } from "rxjs";
import { watchState } from "../../core/kernel/state.ts";
import type { Tabs } from "../../core/ports/tabs.ts";
import type { LeaseNeeds } from "./storageLease.ts";

/** What of a browser window this needs. */
export interface TabWindow {
  readonly document: Document;
  /** Without locks where the page did not come over a secure connection. */
  readonly navigator: { readonly locks?: LockManager };
  readonly BroadcastChannel?: typeof BroadcastChannel;
}

/** One open channel for each name, so that a tab does not hear itself. */
const makeChannels = (Channel: typeof BroadcastChannel): Pick<Tabs, "broadcast" | "heard"> => {
  const open = new Map<string, BroadcastChannel>();
  const listening = new Map<string, Observable<string>>();
  const listen = (name: string): Observable<string> =>
    new Observable<string>((listener) => {
      const channel = new Channel(name);
      open.set(name, channel);
      channel.onmessage = ({ data }) => {
        if (typeof data === "string") listener.next(data);
      };
      return () => {
        open.delete(name);
        channel.close();
      };
    }).pipe(share());
  return {
    broadcast: (name, text) => {
      const channel = open.get(name) ?? new Channel(name);
      channel.postMessage(text);
      if (!open.has(name)) channel.close();
    },
    heard: (name) => {
      const known = listening.get(name) ?? listen(name);
      listening.set(name, known);
      return known;
    },
  };
};

/** Nobody hears anything: tabs then learn of each other through the storage alone. */
const silence: Pick<Tabs, "broadcast" | "heard"> = { broadcast: () => {}, heard: () => NEVER };

/**
 * The tabs of a browser: words by BroadcastChannel, turns by Web Locks or a lease in the storage. The code for turns is
 * fetched with the first one; where it cannot be had, nobody waits for anybody.
 */
export const makeWebTabs = (window: TabWindow, needs: LeaseNeeds): Tabs => {
  const { document, navigator, BroadcastChannel: Channel } = window;
  return {
    exclusively: (name, limits, work) =>
      import("./turns.ts").then(
        ({ makeTurns }) => makeTurns(navigator.locks, needs)(name, limits, work),
        () => work(false),
      ),
    ...(Channel ? makeChannels(Channel) : silence),
    visible$: watchState(
      () => document.visibilityState !== "hidden",
      fromEvent(document, "visibilitychange"),
    ),
  };
};
