import { type ReactNode, useEffect, useRef } from "react";
import { createEncryption } from "../../../core/encryption/encryption.ts";
import { createKeyOffer } from "../../../core/encryption/keyOffer.ts";
import { useAction, useFormAction } from "../../react/useAction.ts";
import { useApp, useFeature, useTitle } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { BareScreen } from "../../ui/layout/BareScreen.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import styles from "../../ui/layout/SetupScreen.module.css";
import { KeySetup } from "./KeySetup.tsx";

/** The last step of signing in for a user without a key (SI1, SI11). */
export const KeySetupScreen = ({ corner }: { readonly corner: ReactNode }) => {
  const { configuration, signIn } = useApp();
  const encryption = useFeature(createEncryption);
  const offer = useFeature(createKeyOffer);
  const heading = useRef<HTMLHeadingElement>(null);
  const { at } = useObservable(encryption.state$);
  const isDone = at === "on" || at === "not-offered";
  // A key that cannot be deleted now is shown in Settings, and keeps nobody here.
  const later = useAction(encryption.postpone, {
    onSuccess: signIn.finishKeySetup,
    onProblem: signIn.finishKeySetup,
  });
  const never = useFormAction(offer.answer, { onSuccess: () => later.run() });
  useEffect(() => {
    if (isDone) signIn.finishKeySetup();
  }, [isDone, signIn]);
  useTitle("Encrypt your mail");
  useEffect(() => heading.current?.focus(), []);
  return (
    <BareScreen brand={configuration.brand} corner={corner} className={styles.middle}>
      <Card as="section" aria-labelledby="key-setup">
        <h1 id="key-setup" className={styles.title} ref={heading} tabIndex={-1}>
          Encrypt your mail
        </h1>
        <KeySetup
          encryption={encryption}
          later={<Button onPress={() => later.run()}>Not now</Button>}
          never={
            <Button variant="quiet" onPress={() => never.run("declined")} isPending={never.isRunning}>
              Don’t ask again
            </Button>
          }
        />
        <ProblemBanner problem={never.problem} />
        <p className={styles.note}>
          You can set this up at any time in Settings. The key is kept only after you save its backup.
        </p>
      </Card>
    </BareScreen>
  );
};
