import { createRoot } from "react-dom/client";
import { Shell } from "../../../web/app/Shell.tsx";
import { type AppOnFakes, startApp } from "../../fakes/appOnFakes.ts";

// The whole page over fakes in a real browser: what a browser alone can tell about it. The product's time stands
// still until `hands.clock` moves it; a narrow window is narrow for the product too.

declare global {
  interface Window {
    hands: AppOnFakes;
  }
}

const narrow = window.matchMedia("(max-width: 767.98px)");
const hands = await startApp();
hands.page.narrow$.set(narrow.matches);
narrow.addEventListener("change", () => hands.page.narrow$.set(narrow.matches));
window.hands = hands;
const root = document.getElementById("root");
if (root) createRoot(root).render(<Shell app={hands.app} reporter={hands.reporter} />);
