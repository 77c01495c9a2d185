import type { Allowance } from "../rates/buckets.ts";
import type { Rates, TellOthers } from "../rates/rates.ts";
import { createRecentKeys } from "../rates/recentKeys.ts";
import { addToWindow, advanceWindow, createWindow, nextDropMs, type Window } from "../rates/windows.ts";

/** The period of the limits of requests. */
export const requestsWithinMs = 60_000;
const parts = 6;
/** The most pairs of a route and a client that are counted; those used least recently are forgotten. */
const maxKeys = 20_000;

/** What `@fastify/rate-limit` asks for: how many requests there were with this one, and for how long they count. */
interface RequestStore {
  readonly incr: (
    key: string,
    answer: (error: null, counted: { readonly current: number; readonly ttl: number }) => void,
    timeWindow: number,
    max: number,
  ) => void;
  readonly child: (options: object) => RequestStore;
}

/** What the library adds to the options of a route. */
interface RouteOptions {
  readonly routeInfo?: { readonly method?: string | readonly string[]; readonly url?: string };
}

const routeOf = ({ routeInfo }: RouteOptions): string =>
  `${[routeInfo?.method ?? ""].flat().join(",")} ${routeInfo?.url ?? ""}`;

const allowanceOf = (max: number): Allowance => ({ burst: max, perSecond: max / (requestsWithinMs / 1_000) });

/** Creates the class of stores that count requests in the last minute; a refused one does not count. */
export const createRequestCounts = (rates: Rates, now: () => number): { new (): RequestStore } => {
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

  return class Counts implements RequestStore {
    readonly #route: string;

    constructor(_options?: object, route = "") {
      this.#route = route;
    }

    readonly incr: RequestStore["incr"] = (client, answer, _timeWindow, max) => {
      const key = `${this.#route} ${client}`;
      const window = find(key, max);
      const current = window.sum + 1;
      if (current <= max) {
        addToWindow(window, 1);
        tell(key, allowanceOf(max), 1);
      }
      answer(null, { current, ttl: nextDropMs(window, now()) });
    };

    readonly child = (options: object): RequestStore => new Counts(undefined, routeOf(options));
  };
};
