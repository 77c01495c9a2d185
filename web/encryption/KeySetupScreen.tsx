import { type ReactNode, useEffect, useRef } from "react";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { useTitle } from "../binding/useTitle.ts";
import { WithPart } from "../loading/WithPart.tsx";
import { BareScreen } from "../ui/BareScreen.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import type { Encryption } from "./encryptionPart.ts";
import { KeySetup } from "./KeySetup.tsx";
import styles from "./KeySetupScreen.module.css";

const Known = ({ encryption }: { readonly encryption: Encryption }) => {
  const { signIn } = useApp();
  const { at } = useObservable(encryption.state$);
  const isOver = at === "on" || at === "not-offered";
  useEffect(() => {
    if (isOver) signIn.finishKeySetup();
  }, [isOver, signIn]);
  return <KeySetup encryption={encryption} />;
};

/** The last step of signing in for somebody without a key (SI1, SI11). */
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
          {(part) => <Known encryption={part} />}
        </WithPart>
        <p className={styles.note}>You find this again in Settings.</p>
      </Card>
    </BareScreen>
  );
};
