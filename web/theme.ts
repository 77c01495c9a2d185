// Runs before the first paint: shows the theme that was chosen, or leaves the choice to the system.
const chosen = (): string | null => {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
};

const show = (theme: "light" | "dark"): void => {
  document.documentElement.dataset["theme"] = theme;
};

const systemTheme = (): "light" | "dark" =>
  matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

const stored = chosen();
show(stored === "light" || stored === "dark" ? stored : systemTheme());
