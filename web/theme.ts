// Applies the stored theme, or the system's, before the first paint. In a browser that was signed in it also begins to load
// the code and the list of the signed-in page. When the app's own script cannot be loaded, it shows the sentence that the
// page has for that.
import { requestListEarly } from "./loading/earlyList.ts";

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
  document.getElementById("start-failure")?.removeAttribute("hidden");
});

const theme = readStored("theme");
applyTheme(theme === "light" || theme === "dark" ? theme : systemTheme());

const isOwnServer = (): boolean =>
  !document.querySelector<HTMLMetaElement>("meta[name=base-address]")?.content;

const isExpired = (): boolean => Number(readStored("tokenExpiry") ?? Number.POSITIVE_INFINITY) < Date.now();

const token = readStored("authToken");
if (token !== null) {
  if (isOwnServer() && !isExpired()) requestListEarly(window, token, readStored);
  document.currentScript?.dataset["firstScreen"]?.split(" ").filter(Boolean).forEach(preload);
}
