import { left, right } from "fp-ts/lib/Either.js";
import { fromEvent, merge, Observable, Subject } from "rxjs";
import { readCookie } from "../../core/api/readCookie.ts";
import { unavailable } from "../../core/kernel/failure.ts";
import { type State, watchState } from "../../core/kernel/state.ts";
import type { Page } from "../../core/ports/page.ts";

/** Matches screens narrower than 768 px (SH6). */
const narrowScreen = "(max-width: 767.98px)";
const darkScheme = "(prefers-color-scheme: dark)";

const mediaState = (window: Window, query: string): State<boolean> => {
  const list = window.matchMedia(query);
  return watchState(() => list.matches, fromEvent(list, "change"));
};

/** The place that a fragment names, without what was searched there; a fragment with something else names none. */
const placeIn = (fragment: string): string => /^#[\w/-]+(?=\?|$)/.exec(fragment)?.[0] ?? "";

/** Creates the page port over a browser window; all addresses of the app begin with `base`, a path without a slash at its end. */
export const createWindowPage = (window: Window, base = ""): Page => {
  const { document } = window;
  const navigated$ = new Subject<void>();
  const dark = window.matchMedia(darkScheme);
  return {
    path$: watchState(
      () => window.location.pathname.replace(base, ""),
      merge(fromEvent(window, "popstate"), navigated$),
    ),
    navigate: (path, { keepsPlace = false } = {}) => {
      window.history.pushState(null, "", base + path + (keepsPlace ? placeIn(window.location.hash) : ""));
      navigated$.next();
    },
    systemTheme$: watchState(() => (dark.matches ? "dark" : "light"), fromEvent(dark, "change")),
    showTheme: (theme) => {
      document.documentElement.dataset["theme"] = theme;
    },
    narrow$: mediaState(window, narrowScreen),
    copy: (text) => () =>
      Promise.resolve()
        .then(() => window.navigator.clipboard.writeText(text))
        .then(right, (error: unknown) => left(unavailable(`clipboard: ${String(error)}`))),
    cookie: (name) => readCookie(document.cookie, name),
    expireCookie: (name) => {
      document.cookie = `${name}=; Path=${base || "/"}; Max-Age=0`;
    },
  };
};

/** The time that a frame has to reach the screen, and the user to act on it, in milliseconds. */
const settleMs = 50;

/** Emits to each subscriber soon after the window has painted what is shown at that time; never in a hidden tab. */
export const createPainted = (window: Window): Observable<void> =>
  new Observable((subscriber) => {
    let frame = 0;
    let timer = 0;
    // NOTE: one animation frame is too early: it begins before what it shows is painted. The second one begins afterwards.
    frame = window.requestAnimationFrame(() => {
      frame = window.requestAnimationFrame(() => {
        timer = window.setTimeout(() => subscriber.next(), settleMs);
      });
    });
    return () => {
      window.cancelAnimationFrame(frame);
      window.clearTimeout(timer);
    };
  });
