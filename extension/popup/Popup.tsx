import { useEffect, useState } from "react";
import type { Ports } from "../../core/ports/ports.ts";
import { useObservable } from "../../web/react/useObservable.ts";
import { Button } from "../../web/ui/Button.tsx";
import { EmptyState } from "../../web/ui/feedback/EmptyState.tsx";
import { IconButton } from "../../web/ui/IconButton.tsx";
import { Logo } from "../../web/ui/icons/Logo.tsx";
import { SettingsIcon } from "../../web/ui/icons/SettingsIcon.tsx";
import { createConnectedApp } from "../connection/connectedApp.ts";
import type { Connection } from "../connection/connection.ts";
import type { ExtensionApi } from "../extensionApi.ts";
import { Toasts } from "../pages/Toasts.tsx";
import { useConnection } from "../pages/useConnection.ts";
import { ConnectHere } from "./ConnectHere.tsx";
import { MaskLists } from "./MaskLists.tsx";
import type { OpenedPage } from "./openedPage.ts";
import styles from "./Popup.module.css";
import { type ConnectedApp, createPopupCommands } from "./popupCommands.ts";

interface PopupProps {
  readonly api: ExtensionApi;
  readonly ports: Ports;
  /** null while this browser is connected to no server. */
  readonly initialConnection: Connection | null;
  /** The page that the popup was opened on; null for a page of no site. */
  readonly page: OpenedPage | null;
}

type ConnectedProps = Omit<PopupProps, "initialConnection"> & { readonly connection: Connection };

/** The token was revoked, or has ended. */
const TokenRefused = ({ api, connection }: Pick<ConnectedProps, "api" | "connection">) => (
  <>
    <h1 className="visually-hidden">Connection</h1>
    <EmptyState
      title="The server refuses the token of this browser"
      action={
        <Button variant="primary" onPress={() => void api.runtime.openOptionsPage()} autoFocus>
          Connect again
        </Button>
      }
    >
      “{connection.name}” was revoked, or has ended. Your masks stay as they are.
    </EmptyState>
  </>
);

interface ConnectedAreaProps extends Pick<ConnectedProps, "api" | "connection" | "page"> {
  readonly app: ConnectedApp;
}

const ConnectedArea = ({ app, page, api, connection }: ConnectedAreaProps) => {
  const session = useObservable(app.session$);
  if (session.kind === "signed-out") return <TokenRefused api={api} connection={connection} />;
  return <MaskLists app={app} api={api} connection={connection} page={page} />;
};

const Connected = ({ ports, connection, ...props }: ConnectedProps) => {
  const [app] = useState(() => {
    const created = createConnectedApp(ports, connection);
    return { ...created, commands: createPopupCommands(created) };
  });
  useEffect(() => app.start(), [app]);
  return (
    <>
      <ConnectedArea {...props} connection={connection} app={app} />
      <Toasts toasts={app.toasts} />
    </>
  );
};

/** The window under the button of the toolbar. */
export const Popup = ({ initialConnection, ...props }: PopupProps) => {
  const { api, ports } = props;
  const [connection] = useConnection(ports, initialConnection);
  return (
    <div className={styles.popup}>
      <header className={styles.head}>
        <Logo name="Bauta" />
        <IconButton
          label="Connection and sites"
          icon={<SettingsIcon size={18} />}
          onPress={() => void api.runtime.openOptionsPage()}
        />
      </header>
      <main className={styles.main}>
        {connection === null ? (
          <>
            <h1 className="visually-hidden">Connection</h1>
            <ConnectHere {...props} />
          </>
        ) : (
          <Connected key={connection.token} {...props} connection={connection} />
        )}
      </main>
    </div>
  );
};
