import { type ReactNode, useEffect, useRef } from "react";
import { createTwoFactor } from "../../../../core/session/twoFactor/twoFactor.ts";
import { useApp, useFeature, useTitle } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { BareScreen } from "../../../ui/layout/BareScreen.tsx";
import { Card } from "../../../ui/layout/Card.tsx";
import { ButtonRow } from "../../../ui/layout/layout.tsx";
import panels from "../../../ui/layout/Panels.module.css";
import styles from "../../../ui/layout/SetupScreen.module.css";
import { TwoFactorDialog } from "./TwoFactorDialog.tsx";

/** The last step of a sign-up, offered once (SI16): the setup of the second factor, or the way past it. */
export const TwoFactorSetupScreen = ({ corner }: { readonly corner: ReactNode }) => {
  const { configuration, signIn } = useApp();
  const twoFactor = useFeature(createTwoFactor);
  const isEnabled = useObservable(twoFactor.isEnabled$);
  const flow = useObservable(twoFactor.flow$);
  const heading = useRef<HTMLHeadingElement>(null);
  const isDone = isEnabled === true && flow === null;
  useEffect(() => {
    if (isDone) signIn.finishTwoFactorSetup();
  }, [isDone, signIn]);
  useTitle("Protect your account");
  useEffect(() => heading.current?.focus(), []);
  return (
    <BareScreen brand={configuration.brand} corner={corner} className={styles.middle}>
      <Card as="section" aria-labelledby="two-factor-setup">
        <h1 id="two-factor-setup" className={styles.title} ref={heading} tabIndex={-1}>
          Protect your account
        </h1>
        <div className={panels.tab}>
          <p>
            Two-factor authentication asks for a second code from an app on your phone. Somebody who can read
            your mail still cannot log in.
          </p>
          <ButtonRow>
            <Button onPress={signIn.finishTwoFactorSetup}>Not now</Button>
            <Button
              variant="primary"
              isDisabled={isEnabled !== false}
              onPress={() => twoFactor.open("intro")}
            >
              Setup 2FA
            </Button>
          </ButtonRow>
        </div>
        <p className={styles.note}>You can set this up at any time in Settings.</p>
      </Card>
      <TwoFactorDialog twoFactor={twoFactor} />
    </BareScreen>
  );
};
