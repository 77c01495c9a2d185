import type { Allowance } from "../rates/buckets.ts";
import type { Rates, TellOthers } from "../rates/rates.ts";
import { createRecentKeys } from "../rates/recentKeys.ts";
import { addToWindow, advanceWindow, createWindow, nextDropMs, type Window } from "../rates/windows.ts";

/** The period of the limits of requests. */
const requestsWithinMs = 60_000;
const parts = 6;
/** The most pairs of a route and a client that are counted; those used least recently are forgotten. */
const maxKeys = 20_000;

/** Counts a request of a key that may send `max`; returns in how many ms it may send another one, 0 when it may send this. */
type CountRequest = (key: string, max: number) => number;

const allowanceOf = (max: number): Allowance => ({ burst: max, perSecond: max / (requestsWithinMs / 1_000) });

/** Creates the count of requests in the last minute; a refused one does not count. */
export const createRequestCounts = (rates: Rates, now: () => number): CountRequest => {
  const windows = createRecentKeys<Window>(maxKeys);
  const tell: TellOthers = rates.tell("requests", maxKeys, (key, amount) => {
    const window = windows.find(key);
    if (!window) return;
    advanceWindow(window, now());
    addToWindow(window, amount);
  });

  const find = (key: string, max: number): Window => {
    const known = windows.find(key);
    const window = known ?? createWindow({ partMs: requestsWithinMs / parts, parts });
    if (!known) {
      windows.set(key, window);
      // What others have told of the key already is counted at once.
      tell(key, allowanceOf(max), 0);
    }
    advanceWindow(window, now());
    return window;
  };

  return (key, max) => {
    const window = find(key, max);
    if (window.sum >= max) return Math.max(1, nextDropMs(window, now()));
    addToWindow(window, 1);
    tell(key, allowanceOf(max), 1);
    return 0;
  };
};
