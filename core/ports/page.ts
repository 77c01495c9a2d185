import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";

export type Theme = "light" | "dark";

/** The browser window that shows the app. */
export interface Page {
  /** The path of the current URL, from "/". */
  readonly path$: State<string>;
  /**
   * Navigates to a path of the app without loading a page. `keepsPlace`: the page that the address names is shown again
   * after the next sign-in.
   */
  readonly navigate: (path: string, options?: { readonly keepsPlace?: boolean }) => void;
  readonly systemTheme$: State<Theme>;
  readonly showTheme: (theme: Theme) => void;
  /** True when the window is narrower than 768 px. */
  readonly narrow$: State<boolean>;
  /** Copies text to the clipboard; fails with `unavailable` when the environment refuses. */
  readonly copy: (text: string) => TaskEither<Failure, void>;
  /** Returns the value of a cookie that scripts may read, or null. */
  readonly cookie: (name: string) => string | null;
  /** Deletes a cookie that scripts may read. */
  readonly expireCookie: (name: string) => void;
}
