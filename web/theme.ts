// Applies the stored theme, or the system's, before the first paint. In a browser that was signed in it also begins to load
// the code and the list of the signed-in page. When the app's own script cannot be loaded, it shows the sentence that the
// page has for that.
import { requestListEarly } from "./loading/earlyList.ts";
import { baseAddressOf, pathOf } from "./navigation/baseAddress.ts";

const baseAddress = baseAddressOf(window);
const path = pathOf(baseAddress);

const readStored = (name: string): string | null => {
  try {
    return localStorage.getItem(name + path);
  } catch {
    return null;
  }
};

const applyTheme = (theme: "light" | "dark"): void => {
  document.documentElement.dataset["theme"] = theme;
};

const systemTheme = (): "light" | "dark" =>
  matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";

const preload = (name: string): void => {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = `${path}/assets/${name}`;
  document.head.append(link);
};

window.addEventListener("appmissing", () => {
  document.getElementById("start-failure")?.removeAttribute("hidden");
});

// Only below its path the service worker keeps the page.
if (location.pathname === path) location.replace(`${path}/${location.hash}`);

const theme = readStored("theme");
applyTheme(theme === "light" || theme === "dark" ? theme : systemTheme());

const isExpired = (): boolean => Number(readStored("tokenExpiry") ?? Number.POSITIVE_INFINITY) < Date.now();

const token = readStored("authToken");
if (token !== null) {
  if (path === baseAddress && !isExpired()) requestListEarly(window, path, token, readStored);
  document.currentScript?.dataset["firstScreen"]?.split(" ").filter(Boolean).forEach(preload);
}
