import { useState } from "react";
import { notOffered } from "../../core/encryption/notOffered.ts";
import { type Action, useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { SkeletonRegion } from "../ui/SkeletonRegion.tsx";
import { BackupStep } from "./BackupStep.tsx";
import styles from "./Encryption.module.css";
import type { At, Encryption } from "./encryptionPart.ts";
import { ImportForm } from "./ImportForm.tsx";
import { OwnKeyForm } from "./OwnKeyForm.tsx";
import { WhatIsProtected } from "./WhatIsProtected.tsx";

interface SetupProps {
  readonly encryption: Encryption;
}

const Explanation = () => {
  const { brand } = useApp().configuration;
  return (
    <p>
      Messages are encrypted to a key that is made on your device and leaves it only as your own protected
      backup. Only you and the people a message was meant for can read it; once it is encrypted, even {brand}{" "}
      cannot. Keep your device secure: whoever can use it can read your mail.
    </p>
  );
};

type Way = "make" | "import" | "own";

interface OffProps extends SetupProps {
  readonly state: At<"off">;
  readonly generate: Action<[]>;
}

const Off = ({ encryption, state, generate }: OffProps) => {
  const [way, setWay] = useState<Way>("make");
  const takeSpare = useAction(encryption.takeSpare);
  const back = (): void => setWay("make");
  if (way === "import") return <ImportForm encryption={encryption} onImported={back} onCancel={back} />;
  if (way === "own") return <OwnKeyForm encryption={encryption} onUsed={back} onCancel={back} />;
  const problem = generate.problem ?? takeSpare.problem;
  return (
    <div className={styles.panel}>
      <Explanation />
      <WhatIsProtected />
      {!state.canHoldKeys && (
        <Banner kind="warning">
          This browser cannot keep keys here. Open this site over https, outside of a private window, or use a
          public key of your own.
        </Banner>
      )}
      {state.spare && (
        <Banner
          action={
            <Button size="small" onPress={() => takeSpare.run()} isPending={takeSpare.isRunning}>
              Use this key
            </Button>
          }
        >
          There is a backed-up key on this device.
        </Banner>
      )}
      <ProblemBanner problem={problem} />
      <ButtonRow>
        <Button variant="primary" onPress={() => generate.run()} isDisabled={!state.canHoldKeys}>
          Generate Encryption Keys
        </Button>
      </ButtonRow>
      <ButtonRow startsQuiet>
        <Button variant="quiet" onPress={() => setWay("import")} isDisabled={!state.canHoldKeys}>
          Import a backup
        </Button>
        <Button variant="quiet" onPress={() => setWay("own")}>
          Use a key of my own
        </Button>
      </ButtonRow>
    </div>
  );
};

/** The making of a key, or the key that was made, as far as it was seen. */
type Begun = { readonly fingerprint: string | null } | null;

const begunWith = (state: Encryption["state$"]["value"], before: Begun): Begun => {
  if (state.at === "made") return { fingerprint: state.key.fingerprint };
  return state.at === "making" ? { fingerprint: null } : before;
};

/** Where the way has ended: with the key that was made, or with the one of before. */
const On = ({ state, begun }: { readonly state: At<"on">; readonly begun: Begun }) => {
  if (begun === null || begun.fingerprint === state.fingerprint)
    return <Banner kind="success">Mail to your masks is encrypted from now on.</Banner>;
  const stays = "Mail to your masks goes on being encrypted to the key that you had.";
  return begun.fingerprint === null ? (
    <Banner kind="error">The new key could not be made. {stays}</Banner>
  ) : (
    <Banner>The new key is not used. {stays}</Banner>
  );
};

/** The way to encrypted mail, from the first word to the saved backup (KE1). */
export const KeySetup = ({ encryption }: SetupProps) => {
  const state = useObservable(encryption.state$);
  const refresh = useAction(encryption.refresh);
  const generate = useAction(encryption.generate);
  const [begun, setBegun] = useState<Begun>(null);
  const next = begunWith(state, begun);
  if (next?.fingerprint !== begun?.fingerprint) setBegun(next);
  switch (state.at) {
    case "loading":
      return (
        <SkeletonRegion label="Loading encryption" className={styles.panel}>
          <Skeleton height="4.5rem" shape="block" />
          <Skeleton height="2.25rem" shape="block" />
        </SkeletonRegion>
      );
    case "unknown":
      return (
        <div className={styles.panel}>
          <Banner
            kind="error"
            action={
              <Button size="small" onPress={() => refresh.run()} isPending={refresh.isRunning}>
                Try Again
              </Button>
            }
          >
            {state.sentence}
          </Banner>
        </div>
      );
    case "not-offered":
      return (
        <div className={styles.panel}>
          <Banner>{notOffered}</Banner>
        </div>
      );
    case "off":
      return <Off encryption={encryption} state={state} generate={generate} />;
    case "making":
      return (
        <div className={styles.panel}>
          <Explanation />
          <ProgressBar label="Generating encryption keys" value={state.percent} />
        </div>
      );
    case "made":
      return <BackupStep key={state.key.fingerprint} encryption={encryption} state={state} />;
    case "on":
      return <On state={state} begun={next} />;
  }
};
