import { useEffect, useState } from "react";
import type { ApiTokens } from "../../../core/apiTokens/apiTokens.ts";
import {
  type BrowserConnectionState,
  browserScopes,
  createBrowserConnection,
  resultWithinMs,
} from "../../../core/apiTokens/browserConnection.ts";
import { scopeTexts } from "../../../core/apiTokens/scopeTexts.ts";
import { deviceName } from "../../../core/session/deviceName.ts";
import { baseAddressOf, pathOf } from "../../navigation/baseAddress.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";

interface ConnectBrowserDialogProps {
  readonly apiTokens: ApiTokens;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The connection of this browser; it hears what scripts of this origin send to this window. */
const useBrowserConnection = (apiTokens: ApiTokens) => {
  const [connection] = useState(() =>
    createBrowserConnection({
      create: apiTokens.create,
      revoke: apiTokens.revoke,
      name: deviceName(navigator.userAgent),
      path: pathOf(baseAddressOf(window)),
      send: (message) => window.postMessage(message, window.location.origin),
    }),
  );
  useEffect(() => {
    const receive = ({ source, origin, data }: MessageEvent): void => {
      if (source === window && origin === window.location.origin) connection.receive(data);
    };
    window.addEventListener("message", receive);
    return () => window.removeEventListener("message", receive);
  }, [connection]);
  return connection;
};

const Status = ({ state }: { readonly state: BrowserConnectionState }) => {
  switch (state.kind) {
    case "waiting":
      return (
        <Banner>
          Press Bauta’s button in the toolbar of this browser, then “Connect”. This page waits for it.
        </Banner>
      );
    case "connected":
      return <Banner kind="success">This browser is connected. You can close this.</Banner>;
    case "failed":
      return <ProblemBanner problem={{ message: state.problem }} />;
    default:
      return null;
  }
};

/** Gives the extension of this browser a token of its own, after the user has agreed. */
export const ConnectBrowserDialog = ({ apiTokens, isOpen, onClose }: ConnectBrowserDialogProps) => {
  const { state$, agree, giveUp } = useBrowserConnection(apiTokens);
  const state = useObservable(state$);
  useEffect(() => {
    if (state.kind !== "given") return;
    const waiting = setTimeout(giveUp, resultWithinMs);
    return () => clearTimeout(waiting);
  }, [state.kind, giveUp]);
  const isUnderWay = state.kind === "creating" || state.kind === "given";
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Connect this browser"
      onSubmit={state.kind === "connected" ? onClose : agree}
      isPending={isUnderWay}
      isIncomplete={state.kind === "waiting"}
      submitLabel={state.kind === "connected" ? "Close" : "Connect"}
      pendingLabel="Connecting…"
    >
      <p>
        Bauta’s extension in this browser gets a token of its own, named “{deviceName(navigator.userAgent)}”.
        You can revoke it in the list of tokens at any time.
      </p>
      <ButtonRow>
        <VisuallyHidden>It may: </VisuallyHidden>
        {browserScopes.map((scope) => (
          <Badge key={scope}>{scopeTexts[scope].label}</Badge>
        ))}
      </ButtonRow>
      <Status state={state} />
    </FormDialog>
  );
};
