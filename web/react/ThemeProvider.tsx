import { createContext, type ReactNode, useContext, useEffect } from "react";
import type { App } from "../../core/app/createApp.ts";
import type { Theme } from "../../core/ports/page.ts";
import { useApp } from "./useApp.ts";
import { useObservable } from "./useObservable.ts";

interface ThemeChoice {
  readonly theme: Theme;
  readonly toggle: App["theme"]["toggle"];
  readonly choose: App["theme"]["choose"];
}

const ThemeContext = createContext<ThemeChoice | null>(null);

const matchBrowserFrame = (): void => {
  const background = getComputedStyle(document.documentElement).backgroundColor;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]"))
    meta.content = background;
};

/** Provides the theme to the components inside (SH5). */
export const ThemeProvider = ({ children }: { readonly children: ReactNode }) => {
  const { theme: themeControl } = useApp();
  const theme = useObservable(themeControl.theme$);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the background color depends on the theme
  useEffect(matchBrowserFrame, [theme]);
  return (
    <ThemeContext value={{ theme, toggle: themeControl.toggle, choose: themeControl.choose }}>
      {children}
    </ThemeContext>
  );
};

/** The current theme and the functions that change it; throws outside of a ThemeProvider. */
export const useTheme = (): ThemeChoice => {
  const choice = useContext(ThemeContext);
  if (!choice) throw new Error("useTheme must be used within a ThemeProvider");
  return choice;
};
