import { storedConnection } from "../connection/connection.ts";
import { renderPage } from "../pages/renderPage.tsx";
import { Options } from "./Options.tsx";

void renderPage({
  ask: ({ permissions }) => permissions.getAll(),
  show: ({ api, ports }, sites) => (
    <Options
      api={api}
      ports={ports}
      initialConnection={storedConnection(ports.storage).read()}
      initialSites={sites}
    />
  ),
});
