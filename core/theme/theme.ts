import * as t from "io-ts";
import { Subscription } from "rxjs";
import { combineState, makeState, type State } from "../kernel/state.ts";
import type { Page, Theme } from "../ports/page.ts";
import type { Store } from "../storage/store.ts";
import type { TextCodec } from "../storage/storedCodecs.ts";
import { storedKeys } from "../storage/storedKeys.ts";

/** Light or dark: what was chosen, else what the system prefers (SH5). */
export interface ThemeChoice {
  readonly theme$: State<Theme>;
  readonly toggle: () => void;
  /** Remembered on this device, beyond logout, and followed by its other tabs. */
  readonly choose: (theme: Theme) => void;
}

const ThemeName: TextCodec<Theme> = t.keyof({ light: null, dark: null });

export const makeTheme = (
  page: Pick<Page, "systemTheme$" | "showTheme">,
  store: Store,
): ThemeChoice & { readonly start: () => Subscription } => {
  const stored = store.of(storedKeys.theme, ThemeName);
  const chosen$ = makeState<Theme | null>(null);
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
