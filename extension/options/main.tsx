import { storedConnection } from "../connection/connection.ts";
import { renderPage } from "../pages/renderPage.tsx";
import { Options } from "./Options.tsx";

void renderPage(async ({ api, ports }) => (
  <Options
    api={api}
    ports={ports}
    initialConnection={storedConnection(ports.storage).read()}
    initialSites={await api.permissions.getAll()}
  />
));
