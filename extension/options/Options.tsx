import { Logo } from "../../web/ui/icons/Logo.tsx";
import { Card } from "../../web/ui/layout/Card.tsx";
import { PageHead } from "../../web/ui/layout/layout.tsx";
import type { Connection, ExtensionPorts } from "../connection/connection.ts";
import type { ExtensionApi, SitePermissions } from "../extensionApi.ts";
import { useConnection } from "../pages/useConnection.ts";
import { ConnectForm } from "./ConnectForm.tsx";
import { Disconnect } from "./Disconnect.tsx";
import styles from "./Options.module.css";
import { Sites } from "./Sites.tsx";

interface OptionsProps {
  readonly api: ExtensionApi;
  readonly ports: ExtensionPorts;
  readonly initialConnection: Connection | null;
  readonly initialSites: SitePermissions;
}

/** The page of the extension's options: the connection, and the sites that it works on. */
export const Options = ({ api, ports, initialConnection, initialSites }: OptionsProps) => {
  const [connection, setConnection] = useConnection(ports, initialConnection);
  return (
    <main className={styles.page}>
      <Logo name="Bauta" />
      <PageHead title="Connection and sites" />
      <Card as="section" aria-labelledby="connection" className={styles.card}>
        <h2 id="connection">Connection</h2>
        {connection === null ? (
          <ConnectForm ports={ports} onConnected={setConnection} />
        ) : (
          <Disconnect ports={ports} connection={connection} onDisconnected={() => setConnection(null)} />
        )}
      </Card>
      <Card as="section" aria-labelledby="sites" className={styles.card}>
        <h2 id="sites">Sites</h2>
        <Sites permissions={api.permissions} initial={initialSites} />
      </Card>
      <Card as="section" aria-labelledby="keyboard" className={styles.card}>
        <h2 id="keyboard">Keyboard</h2>
        <p>
          Alt+Shift+M fills in the mask of a site where you are typing, and in a field for a code the code
          that has arrived. Change the shortcut where your browser lists its extensions.
        </p>
      </Card>
    </main>
  );
};
