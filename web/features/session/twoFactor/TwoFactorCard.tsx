import { type ReactNode, useEffect, useState } from "react";
import { createTwoFactor } from "../../../../core/session/twoFactor/twoFactor.ts";
import { createChunk } from "../../../loading/chunk.ts";
import { Lazy } from "../../../loading/Lazy.tsx";
import { SettingsCard } from "../../../navigation/SettingsCard.tsx";
import { useAction } from "../../../react/useAction.ts";
import { useFeature } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Badge } from "../../../ui/Badge.tsx";
import { Button } from "../../../ui/Button.tsx";
import { CheckIcon } from "../../../ui/icons/CheckIcon.tsx";
import { ButtonRow } from "../../../ui/layout/layout.tsx";
import styles from "./TwoFactorDialog.module.css";

const twoFactorDialog = createChunk(
  () => import("./TwoFactorDialog.tsx"),
  (module) => module.TwoFactorDialog,
);

const badges = {
  on: <Badge kind="success">Enabled</Badge>,
  off: <Badge>Not enabled</Badge>,
  unknown: <Badge>Loading...</Badge>,
};

interface CardFrameProps {
  readonly isEnabled: boolean | null;
  readonly children?: ReactNode;
}

const CardFrame = ({ isEnabled, children }: CardFrameProps) => (
  <SettingsCard
    aside={<span role="status">{badges[isEnabled === null ? "unknown" : isEnabled ? "on" : "off"]}</span>}
    text="A second code from an app on your phone, besides the one that comes by mail. Somebody who can read your mail still cannot log in."
  >
    {children}
  </SettingsCard>
);

const remainingCodesText = (count: number): string =>
  count === 0
    ? "You have no recovery codes left. Create new ones: without them you cannot log in if you lose your phone."
    : `${count} recovery ${count === 1 ? "code" : "codes"} left.`;

/** The state of two-factor authentication and the buttons that change it (SG1). */
export const TwoFactorCard = () => {
  const twoFactor = useFeature(createTwoFactor);
  const isEnabled = useObservable(twoFactor.isEnabled$);
  const codesLeft = useObservable(twoFactor.recoveryCodesLeft$);
  const flow = useObservable(twoFactor.flow$);
  const [wasOpened, setOpened] = useState(false);
  const { run: refresh } = useAction(twoFactor.refresh);
  useEffect(() => {
    if (isEnabled) refresh();
  }, [isEnabled, refresh]);
  useEffect(twoFactorDialog.prefetch, []);
  if (flow !== null && !wasOpened) setOpened(true);

  return (
    <CardFrame isEnabled={isEnabled}>
      {isEnabled && codesLeft !== null && <p className={styles.left}>{remainingCodesText(codesLeft)}</p>}
      <ButtonRow startsQuiet={isEnabled === true}>
        <Button
          variant={isEnabled ? "quiet" : "secondary"}
          icon={isEnabled ? <CheckIcon size={18} /> : undefined}
          isDisabled={isEnabled !== false}
          onPress={() => twoFactor.open("intro")}
        >
          {isEnabled ? "Already Configured" : "Setup 2FA"}
        </Button>
      </ButtonRow>
      {isEnabled && (
        <ButtonRow>
          <Button onPress={() => twoFactor.open("renew")}>New recovery codes</Button>
          <Button variant="quietDanger" onPress={() => twoFactor.open("disable")}>
            Switch off
          </Button>
        </ButtonRow>
      )}
      {wasOpened && (
        <Lazy chunk={twoFactorDialog} skeleton={null}>
          {(TwoFactorDialog) => <TwoFactorDialog twoFactor={twoFactor} />}
        </Lazy>
      )}
    </CardFrame>
  );
};
