import { useState } from "react";
import type { Ports } from "../../core/ports/ports.ts";
import { Button } from "../../web/ui/Button.tsx";
import { Banner } from "../../web/ui/feedback/Banner.tsx";
import { EmptyState } from "../../web/ui/feedback/EmptyState.tsx";
import { ButtonRow } from "../../web/ui/layout/layout.tsx";
import { beginHandover } from "../connection/handover.ts";
import type { ExtensionApi } from "../extensionApi.ts";
import type { OpenedPage } from "./openedPage.ts";

/** Asks the page for a token; false where the browser lets no extension into it. */
const askPage = async (api: ExtensionApi, ports: Ports, { tabId, origin }: OpenedPage): Promise<boolean> => {
  const { code, until } = beginHandover(ports, origin);
  try {
    await api.scripting.executeScript({ target: { tabId }, files: ["connect.js"] });
    await api.tabs.sendMessage(tabId, { kind: "handover", code, until });
    return true;
  } catch {
    return false;
  }
};

interface ConnectHereProps {
  readonly api: ExtensionApi;
  readonly ports: Ports;
  /** The page that the popup was opened on; null for one that can be no server's. */
  readonly page: OpenedPage | null;
}

/**
 * Connects this browser to the server whose page it shows, or leads to the options. Any page could say that it is a server: the
 * user names it by a second press, and no press of a key is on its way to one of them when the popup opens.
 */
export const ConnectHere = ({ api, ports, page }: ConnectHereProps) => {
  const [asked, setAsked] = useState<"unsure" | "waiting" | "refused" | null>(null);
  const openOptions = (): void => void api.runtime.openOptionsPage();
  const connect = async (): Promise<void> => {
    if (page !== null) setAsked((await askPage(api, ports, page)) ? "waiting" : "refused");
  };
  return (
    <EmptyState
      title="This browser is not connected"
      action={
        <ButtonRow>
          {page !== null && asked === "unsure" ? (
            <>
              <Button key="yes" variant="primary" onPress={() => void connect()}>
                {page.site} is my server
              </Button>
              <Button key="no" onPress={() => setAsked(null)} autoFocus>
                Cancel
              </Button>
            </>
          ) : (
            <>
              {page !== null && <Button onPress={() => setAsked("unsure")}>Connect to {page.site}</Button>}
              <Button onPress={openOptions}>Enter a token</Button>
            </>
          )}
        </ButtonRow>
      }
    >
      {asked === "refused" ? (
        <Banner kind="error">This browser lets no extension into this page. Enter a token.</Banner>
      ) : asked === "waiting" && page !== null ? (
        <Banner>Now press “Connect this browser” on {page.site}, under Settings › Programs.</Banner>
      ) : asked === "unsure" && page !== null ? (
        <Banner kind="warning">
          Is {page.site} your Bauta server? Your masks are then created there, and it learns the sites that
          you create them for. Connect only to a server that you trust.
        </Banner>
      ) : (
        <p>
          Open your Bauta server in this tab and connect to it. Each site then gets an address of its own.
        </p>
      )}
    </EmptyState>
  );
};
