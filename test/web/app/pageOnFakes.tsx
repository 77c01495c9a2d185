import { createRoot } from "react-dom/client";
import { Shell } from "../../../web/app/Shell.tsx";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";

// The whole app over fakes, for tests in a real browser of what jsdom cannot show. The app's clock stands
// still until `hands.clock` advances it; the app follows the real width and theme of the window.

declare global {
  interface Window {
    hands: AppOnFakes;
  }
}

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const narrow = window.matchMedia("(max-width: 767.98px)");
const hands = await startApp();
const followTheme = (): void => hands.page.systemTheme$.set(dark.matches ? "dark" : "light");
followTheme();
dark.addEventListener("change", followTheme);
hands.page.narrow$.set(narrow.matches);
narrow.addEventListener("change", () => hands.page.narrow$.set(narrow.matches));
window.hands = hands;
const root = document.getElementById("root");
if (root) createRoot(root).render(<Shell app={hands.app} reporter={hands.reporter} />);
