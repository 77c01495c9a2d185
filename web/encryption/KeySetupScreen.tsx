import { type ReactNode, useEffect, useRef } from "react";
import { WithPart } from "../loading/WithPart.tsx";
import { useApp, useTitle } from "../react/useApp.ts";
import { useObservable } from "../react/useObservable.ts";
import { BareScreen } from "../ui/BareScreen.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { SkeletonRegion } from "../ui/Skeleton.tsx";
import type { Encryption } from "./encryptionTypes.ts";
import { KeySetup } from "./KeySetup.tsx";
import styles from "./KeySetupScreen.module.css";

const LoadedSetup = ({ encryption }: { readonly encryption: Encryption }) => {
  const { signIn } = useApp();
  const { at } = useObservable(encryption.state$);
  const isDone = at === "on" || at === "not-offered";
  useEffect(() => {
    if (isDone) signIn.finishKeySetup();
  }, [isDone, signIn]);
  return <KeySetup encryption={encryption} />;
};

/** The last step of signing in for a user without a key (SI1, SI11). */
export const KeySetupScreen = ({ corner }: { readonly corner: ReactNode }) => {
  const { configuration, encryption, signIn } = useApp();
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle("Encrypt your mail");
  useEffect(() => heading.current?.focus(), []);
  return (
    <BareScreen brand={configuration.brand} corner={corner} className={styles.middle}>
      <Card as="section" padding="roomy" aria-labelledby="key-setup">
        <div className={styles.head}>
          <h1 id="key-setup" className={styles.title} ref={heading} tabIndex={-1}>
            Encrypt your mail
          </h1>
          <Button variant="quiet" onPress={signIn.finishKeySetup}>
            Not now
          </Button>
        </div>
        <WithPart
          late={encryption}
          skeleton={<SkeletonRegion label="Loading encryption">{null}</SkeletonRegion>}
        >
          {(part) => <LoadedSetup encryption={part} />}
        </WithPart>
        <p className={styles.note}>You find this again in Settings.</p>
      </Card>
    </BareScreen>
  );
};
