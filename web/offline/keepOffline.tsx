import { createRoot } from "react-dom/client";
import { NewVersion } from "./NewVersion.tsx";
import { registerWorker } from "./registerWorker.ts";

/** Has the page kept for when there is no network, and says when a new version of it is ready. */
export const keepOffline = (window: Window): Promise<void> => {
  const place = window.document.createElement("div");
  const root = createRoot(place);
  let shown = 0;
  return registerWorker(window, (take) => {
    if (shown === 0) window.document.body.append(place);
    shown += 1;
    root.render(<NewVersion key={shown} onReload={take} />);
  });
};
