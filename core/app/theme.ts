import * as t from "io-ts";
import { Subscription } from "rxjs";
import { combineState, createState, type State } from "../kernel/state.ts";
import type { Page, Theme } from "../ports/page.ts";
import type { Store, TextCodec } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";

/** The theme: the user's choice, or the system's preference without one. */
export interface ThemeChoice {
  readonly theme$: State<Theme>;
  readonly toggle: () => void;
  /** Stores the choice on this device, where it survives a logout; other tabs follow. */
  readonly choose: (theme: Theme) => void;
}

const ThemeName: TextCodec<Theme> = t.keyof({ light: null, dark: null });

/** Creates the theme; `start()` restores the stored choice and applies it to the page. */
export const createTheme = (
  page: Pick<Page, "systemTheme$" | "showTheme">,
  store: Store,
): ThemeChoice & { readonly start: () => Subscription } => {
  const stored = store.get(storedKeys.theme, ThemeName);
  const chosen$ = createState<Theme | null>(null);
  const theme$ = combineState([chosen$, page.systemTheme$], (chosen, system) => chosen ?? system);
  const choose = (theme: Theme): void => {
    stored.write(theme);
    chosen$.set(theme);
  };
  return {
    theme$,
    choose,
    toggle: () => choose(theme$.value === "light" ? "dark" : "light"),
    start: () => {
      chosen$.set(stored.read());
      const running = new Subscription();
      running.add(stored.changes$.subscribe(chosen$.set));
      running.add(theme$.subscribe(page.showTheme));
      return running;
    },
  };
};
