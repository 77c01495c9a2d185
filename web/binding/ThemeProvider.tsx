import { createContext, type ReactNode, useContext, useLayoutEffect } from "react";
import type { App } from "../../core/app.ts";
import type { Theme } from "../../core/ports/page.ts";
import { useApp } from "./useApp.ts";
import { useObservable } from "./useObservable.ts";

/** The theme shown, and how to change it. */
interface ThemeChoice {
  readonly theme: Theme;
  readonly toggle: App["theme"]["toggle"];
  readonly choose: App["theme"]["choose"];
}

const ThemeContext = createContext<ThemeChoice | null>(null);

/** Paints the frame that the browser draws around the page in the page's own ground. */
const matchBrowserFrame = (): void => {
  const ground = getComputedStyle(document.documentElement).backgroundColor;
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]"))
    meta.content = ground;
};

/** Lets the components inside use the theme (SH5). */
export const ThemeProvider = ({ children }: { readonly children: ReactNode }) => {
  const { theme: door } = useApp();
  const theme = useObservable(door.theme$);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ground depends on the theme
  useLayoutEffect(matchBrowserFrame, [theme]);
  return <ThemeContext value={{ theme, toggle: door.toggle, choose: door.choose }}>{children}</ThemeContext>;
};

/** The theme and how to change it. */
export const useTheme = (): ThemeChoice => {
  const choice = useContext(ThemeContext);
  if (!choice) throw new Error("useTheme must be used within a ThemeProvider");
  return choice;
};
