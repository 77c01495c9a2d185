import type { Ports } from "../../core/ports/ports.ts";
import { storedKeys } from "../../core/storage/storedKeys.ts";
import { Button } from "../../web/ui/Button.tsx";
import { type Connection, storedConnection } from "../connection/connection.ts";
import styles from "./Options.module.css";

interface DisconnectProps {
  readonly ports: Ports;
  readonly connection: Connection;
  readonly onDisconnected: () => void;
}

/** Removes the token, and what was kept of the server's lists. */
const forget = ({ storage }: Ports): void => {
  storedConnection(storage).remove();
  for (const { name } of Object.values(storedKeys)) storage.local.remove(name);
};

/** The connection of this browser, what protects its token, and how it ends. */
export const Disconnect = ({ ports, connection, onDisconnected }: DisconnectProps) => (
  <div className={styles.form}>
    <p>
      Connected to <a href={connection.server}>{connection.server}</a> as “{connection.name}”.
    </p>
    <p>
      The token is in the storage of this extension, which web pages and other extensions cannot read. In
      Firefox the extension’s own script in web pages could; it does not. The token is not encrypted: whoever
      can read the files of your browser’s profile can use it. Revoke it under{" "}
      <a href={`${connection.server}/#settings/programs`}>Settings › Programs</a> when you lose this device.
    </p>
    <p>
      Disconnecting removes the token, the copies of your masks and what waits for a connection from this
      browser. The token itself is valid until you revoke it.
    </p>
    <div>
      <Button
        variant="quietDanger"
        onPress={() => {
          forget(ports);
          onDisconnected();
        }}
      >
        Disconnect
      </Button>
    </div>
  </div>
);
