import { useState } from "react";
import type { TwoFactorFlow } from "../../core/twoFactor/twoFactorFlow.ts";
import { useObservable } from "../binding/useObservable.ts";
import { DisableWindow } from "./DisableWindow.tsx";
import { IntroWindow } from "./IntroWindow.tsx";
import { RecoveryCodesWindow } from "./RecoveryCodesWindow.tsx";
import { RenewWindow } from "./RenewWindow.tsx";
import { ScanWindow } from "./ScanWindow.tsx";
import type { TwoFactor } from "./twoFactorPart.ts";

interface TwoFactorWindowProps {
  readonly twoFactor: TwoFactor;
}

/** The window of the step that the user has come to (SG2); the last one while it closes. */
export const TwoFactorWindow = ({ twoFactor }: TwoFactorWindowProps) => {
  const flow = useObservable(twoFactor.flow$);
  const [last, setLast] = useState<TwoFactorFlow | null>(flow);
  if (flow !== null && flow !== last) setLast(flow);
  const shown = flow ?? last;
  if (shown === null) return null;
  const given = { twoFactor, isOpen: flow !== null };
  switch (shown.at) {
    case "intro":
      return <IntroWindow {...given} />;
    case "scan":
      return <ScanWindow {...given} secret={shown} />;
    case "disable":
      return <DisableWindow {...given} />;
    case "renew":
      return <RenewWindow {...given} />;
    case "complete":
    case "renewed":
      return <RecoveryCodesWindow {...given} given={shown} />;
  }
};
