import { storedConnection } from "../connection/connection.ts";
import { renderPage } from "../pages/renderPage.tsx";
import { siteOfPage } from "../sites.ts";
import { Popup } from "./Popup.tsx";

void renderPage(async ({ api, ports }) => {
  const [tab] = await api.tabs.query({ active: true, currentWindow: true });
  const connection = storedConnection(ports.storage).read();
  return <Popup api={api} ports={ports} connection={connection} site={siteOfPage(tab?.url)} />;
});
