import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { type ExtensionPorts, loadWindowPorts } from "../ports.ts";

/** Shows a page of the extension once its stored values are read. */
export const renderPage = async (page: (ports: ExtensionPorts) => Promise<ReactNode>): Promise<void> => {
  const root = createRoot(document.getElementById("page") ?? document.body);
  try {
    root.render(<StrictMode>{await page(await loadWindowPorts(window))}</StrictMode>);
  } catch {
    root.render(<p role="alert">Bauta cannot read its storage. Restart the browser and try again.</p>);
  }
};
