import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import type { ExtensionPorts } from "../connection/connection.ts";
import type { ExtensionApi } from "../extensionApi.ts";
import { openWindow } from "../ports.ts";

/** A page of the extension. */
interface ExtensionPage<A> {
  /** Asks the browser for what the page begins with, while the stored values are read. */
  readonly ask: (api: ExtensionApi) => Promise<A>;
  readonly show: (
    part: { readonly api: ExtensionApi; readonly ports: ExtensionPorts },
    asked: A,
  ) => ReactNode;
}

/** Shows a page of the extension once its stored values are read. */
export const renderPage = async <A,>({ ask, show }: ExtensionPage<A>): Promise<void> => {
  const root = createRoot(document.getElementById("page") ?? document.body);
  try {
    const { api, ports } = openWindow(window);
    const [loaded, asked] = await Promise.all([ports(), ask(api)]);
    root.render(<StrictMode>{show({ api, ports: loaded }, asked)}</StrictMode>);
  } catch {
    root.render(<p role="alert">Bauta cannot read its storage. Restart the browser and try again.</p>);
  }
};
