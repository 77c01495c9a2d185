import { useEffect, useState } from "react";
import type { ExtensionApi } from "../../adapters/webExtension/extensionApi.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { useObservable } from "../../web/react/useObservable.ts";
import { Button } from "../../web/ui/Button.tsx";
import { EmptyState } from "../../web/ui/feedback/EmptyState.tsx";
import { IconButton } from "../../web/ui/IconButton.tsx";
import { Logo } from "../../web/ui/icons/Logo.tsx";
import { SettingsIcon } from "../../web/ui/icons/SettingsIcon.tsx";
import { createConnectedApp } from "../connection/connectedApp.ts";
import type { Connection } from "../connection/connection.ts";
import { Toasts } from "../pages/Toasts.tsx";
import { MaskLists } from "./MaskLists.tsx";
import styles from "./Popup.module.css";
import { type ConnectedApp, createPopupCommands } from "./popupCommands.ts";

interface PopupProps {
  readonly api: ExtensionApi;
  readonly ports: Ports;
  /** null while this browser is connected to no server. */
  readonly connection: Connection | null;
  /** The site of the page that the popup was opened on; null for a page of no site. */
  readonly site: string | null;
}

type ConnectedProps = Omit<PopupProps, "connection"> & { readonly connection: Connection };

const NotConnected = ({ api }: Pick<PopupProps, "api">) => (
  <EmptyState
    title="This browser is not connected"
    action={
      <Button variant="primary" onPress={() => void api.runtime.openOptionsPage()} autoFocus>
        Connect
      </Button>
    }
  >
    Connect it to your Bauta server, and each site gets an address of its own.
  </EmptyState>
);

/** The token was revoked, or has ended. */
const TokenRefused = ({ api, connection }: Pick<ConnectedProps, "api" | "connection">) => (
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
);

interface ConnectedAreaProps extends Pick<ConnectedProps, "api" | "connection" | "site"> {
  readonly app: ConnectedApp;
}

const ConnectedArea = ({ app, site, api, connection }: ConnectedAreaProps) => {
  const session = useObservable(app.session$);
  if (session.kind === "signed-out") return <TokenRefused api={api} connection={connection} />;
  return <MaskLists app={app} connection={connection} site={site} />;
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
export const Popup = ({ connection, ...props }: PopupProps) => (
  <div className={styles.popup}>
    <header className={styles.head}>
      <Logo name="Bauta" />
      <IconButton
        label="Connection and sites"
        icon={<SettingsIcon size={18} />}
        onPress={() => void props.api.runtime.openOptionsPage()}
      />
    </header>
    <main className={styles.main}>
      {connection === null ? <NotConnected {...props} /> : <Connected {...props} connection={connection} />}
    </main>
  </div>
);
