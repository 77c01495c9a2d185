import { storedConnection } from "../connection/connection.ts";
import { renderPage } from "../pages/renderPage.tsx";
import { openedPage } from "./openedPage.ts";
import { Popup } from "./Popup.tsx";

void renderPage(async ({ api, ports }) => {
  const [tab] = await api.tabs.query({ active: true, currentWindow: true });
  const connection = storedConnection(ports.storage).read();
  return <Popup api={api} ports={ports} initialConnection={connection} page={openedPage(tab)} />;
});
