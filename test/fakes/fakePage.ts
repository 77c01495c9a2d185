import { left, right } from "fp-ts/lib/Either.js";
import { unavailable } from "../../core/kernel/failure.ts";
import { createState, type WritableState } from "../../core/kernel/state.ts";
import type { Page, Theme } from "../../core/ports/page.ts";

export interface FakePage extends Page {
  readonly path$: WritableState<string>;
  readonly systemTheme$: WritableState<Theme>;
  readonly narrow$: WritableState<boolean>;
  /** The theme on the document. */
  readonly shownTheme: () => Theme | null;
  readonly clipboard: () => string | null;
  /** Makes the clipboard refuse, as a browser without permission does. */
  readonly refuseCopies: () => void;
  readonly setCookie: (name: string, value: string) => void;
}

/** An in-memory page. */
export const createFakePage = (path = "/"): FakePage => {
  const path$ = createState(path);
  const cookies = new Map<string, string>();
  let shown: Theme | null = null;
  let clipboard: string | null = null;
  let refuses = false;
  return {
    path$,
    navigate: (path) => path$.set(path),
    systemTheme$: createState<Theme>("light"),
    narrow$: createState(false),
    showTheme: (theme) => {
      shown = theme;
    },
    shownTheme: () => shown,
    copy: (text) => async () => {
      if (refuses) return left(unavailable("clipboard: NotAllowedError"));
      clipboard = text;
      return right(undefined);
    },
    clipboard: () => clipboard,
    refuseCopies: () => {
      refuses = true;
    },
    cookie: (name) => cookies.get(name) ?? null,
    expireCookie: (name) => {
      cookies.delete(name);
    },
    setCookie: (name, value) => {
      cookies.set(name, value);
    },
  };
};
