import { left, right } from "fp-ts/lib/Either.js";
import { fromEvent, merge, Subject } from "rxjs";
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

const cookieIn = (cookies: string, name: string): string | null => {
  const found = cookies.split("; ").find((cookie) => cookie.startsWith(`${name}=`));
  if (found === undefined) return null;
  const value = found.slice(name.length + 1);
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};

/** Creates the page port over a browser window. */
export const createWindowPage = (window: Window): Page => {
  const { document } = window;
  const navigated$ = new Subject<void>();
  const dark = window.matchMedia(darkScheme);
  return {
    path$: watchState(() => window.location.pathname, merge(fromEvent(window, "popstate"), navigated$)),
    navigate: (path) => {
      window.history.pushState(null, "", path);
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
    cookie: (name) => cookieIn(document.cookie, name),
  };
};
