// Runs before the first paint and applies the stored theme, or the system's theme if none is stored.
const readStoredTheme = (): string | null => {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
};

const applyTheme = (theme: "light" | "dark"): void => {
  document.documentElement.dataset["theme"] = theme;
};

const systemTheme = (): "light" | "dark" =>
  matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

const stored = readStoredTheme();
applyTheme(stored === "light" || stored === "dark" ? stored : systemTheme());
