// Applies the stored theme, or the system's, before the first paint. In a browser that was signed in it also shows the
// screen that was kept of the signed-in page, and begins to load the code and the list of it. When the app's own script
// cannot be loaded, it shows the sentence that the page has for that.
import { requestListEarly } from "./loading/earlyList.ts";
import { showKeptScreen } from "./loading/keptScreen.ts";

const readStored = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

const applyTheme = (theme: "light" | "dark"): void => {
  document.documentElement.dataset["theme"] = theme;
};

const systemTheme = (): "light" | "dark" =>
  matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

const preload = (href: string): void => {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = href;
  document.head.append(link);
};

window.addEventListener("appmissing", () => {
  document.getElementById("page")?.replaceChildren();
  document.getElementById("start-failure")?.removeAttribute("hidden");
});

const stored = readStored("theme");
const theme = stored === "light" || stored === "dark" ? stored : systemTheme();
applyTheme(theme);

const isOwnServer = (): boolean =>
  !document.querySelector<HTMLMetaElement>("meta[name=base-address]")?.content;

const isExpired = (): boolean => Number(readStored("tokenExpiry") ?? Number.POSITIVE_INFINITY) < Date.now();

const token = readStored("authToken");
if (token !== null) {
  const isValid = !isExpired();
  const firstScreen = document.currentScript?.dataset["firstScreen"]?.split(" ").filter(Boolean) ?? [];
  const load = (): void => {
    if (isOwnServer() && isValid) requestListEarly(window, token, readStored);
    firstScreen.forEach(preload);
  };
  if (isValid) showKeptScreen(window, { theme, read: readStored }, load);
  else load();
}
