import { storedConnection } from "../connection/connection.ts";
import { renderPage } from "../pages/renderPage.tsx";
import { openedPage } from "./openedPage.ts";
import { Popup } from "./Popup.tsx";

void renderPage({
  ask: ({ tabs }) => tabs.query({ active: true, currentWindow: true }),
  show: ({ api, ports }, [tab]) => (
    <Popup
      api={api}
      ports={ports}
      initialConnection={storedConnection(ports.storage).read()}
      page={openedPage(tab)}
    />
  ),
});
