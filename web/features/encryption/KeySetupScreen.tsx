import { type ReactNode, useEffect, useRef } from "react";
import { createEncryption } from "../../../core/encryption/encryption.ts";
import { useApp, useFeature, useTitle } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { BareScreen } from "../../ui/layout/BareScreen.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { KeySetup } from "./KeySetup.tsx";
import styles from "./KeySetupScreen.module.css";

/** The last step of signing in for a user without a key (SI1, SI11). */
export const KeySetupScreen = ({ corner }: { readonly corner: ReactNode }) => {
  const { configuration, signIn } = useApp();
  const encryption = useFeature(createEncryption);
  const heading = useRef<HTMLHeadingElement>(null);
  const { at } = useObservable(encryption.state$);
  const isDone = at === "on" || at === "not-offered";
  useEffect(() => {
    if (isDone) signIn.finishKeySetup();
  }, [isDone, signIn]);
  useTitle("Encrypt your mail");
  useEffect(() => heading.current?.focus(), []);
  return (
    <BareScreen brand={configuration.brand} corner={corner} className={styles.middle}>
      <Card as="section" aria-labelledby="key-setup">
        <div className={styles.head}>
          <h1 id="key-setup" className={styles.title} ref={heading} tabIndex={-1}>
            Encrypt your mail
          </h1>
          <Button variant="quiet" onPress={signIn.finishKeySetup}>
            Not now
          </Button>
        </div>
        <KeySetup encryption={encryption} />
        <p className={styles.note}>You find this again in Settings.</p>
      </Card>
    </BareScreen>
  );
};
