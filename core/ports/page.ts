import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";

export type Theme = "light" | "dark";

/** The window the app lives in. */
export interface Page {
  /** The path of the address shown, from "/". */
  readonly path$: State<string>;
  /** Shows another path of the app without loading a page. */
  readonly navigate: (path: string) => void;
  readonly systemTheme$: State<Theme>;
  /** Writes the theme to the document. */
  readonly showTheme: (theme: Theme) => void;
  /** True below 768 px (SH6). */
  readonly narrow$: State<boolean>;
  /** Puts text on the clipboard; `unavailable` when the environment refuses. */
  readonly copy: (text: string) => TaskEither<Failure, void>;
  /** The value of a cookie that scripts may read, or null. */
  readonly cookie: (name: string) => string | null;
}
