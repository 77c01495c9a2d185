import { type ReactNode, useState } from "react";
import type { Encryption } from "../../../core/encryption/encryption.ts";
import { encryptionNotOffered, keyringNotLoaded } from "../../../core/encryption/encryptionMessages.ts";
import { type Action, useAction, useFormAction } from "../../react/useAction.ts";
import { useApp } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ProgressBar } from "../../ui/feedback/ProgressBar.tsx";
import { Skeleton, SkeletonRegion } from "../../ui/feedback/Skeleton.tsx";
import { FieldGroup } from "../../ui/form/FieldGroup.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { BackupStep } from "./BackupStep.tsx";
import styles from "./Encryption.module.css";
import type { StateAt } from "./encryptionTypes.ts";
import { ImportForm } from "./ImportForm.tsx";
import { OwnKeyForm } from "./OwnKeyForm.tsx";
import { UncertainBanner } from "./UncertainBanner.tsx";

/** Explains what encryption protects and what it does not (D40). */
const WhatIsProtected = () => {
  const { brand } = useApp().configuration;
  return (
    <FieldGroup title="What is protected">
      <p>
        <strong>Protected:</strong> subject, text and attachments of every email that is forwarded, archived
        or collected from now on. They are encrypted before anything is stored or sent on, so they cannot be
        read in the database, in its backups or at your mail provider.
      </p>
      <p>
        <strong>Not protected:</strong>
      </p>
      <ul className={styles.list}>
        <li>
          An email on its way to {brand}: it arrives as its sender sent it, and the relay sees it for the
          moment it takes to apply your rules and encrypt it.
        </li>
        <li>
          Who wrote to which mask, when, and how large the email is: mail servers need that to deliver it, and
          your statistics are made of it. With content access on, the category of an email is kept as well.
        </li>
        <li>Mail that came before, and emails that {brand} itself writes to you, such as sign-in codes.</li>
        <li>
          That masks belong together, if you switch on “Senders can find my key” in Settings: senders can then
          ask this server for the public key of a mask, and it is the same key for all of yours.
        </li>
        <li>This device: whoever can use your unlocked browser can read what you can.</li>
      </ul>
    </FieldGroup>
  );
};

interface SetupProps {
  readonly encryption: Encryption;
}

/** Says what setting up changes for whoever reads the mail; shown before the choice. */
const WhatChanges = () => (
  <p>
    <strong>
      Your mail program will show these emails as “...” with an attachment named encrypted.asc. You can read
      them in a program that supports OpenPGP and has your key, or here.
    </strong>
  </p>
);

const Introduction = () => {
  const { brand } = useApp().configuration;
  return (
    <p>
      Messages are encrypted to a key that is created on your device and leaves it only as your own protected
      backup. Only you and the people a message was meant for can read it; once it is encrypted, even {brand}{" "}
      cannot. Keep your device secure: whoever can use it can read your mail.
    </p>
  );
};

type SetupMethod = "make" | "import" | "own";

interface KeySetupProps extends SetupProps {
  /** Leaves the set-up, beside the button that goes on. */
  readonly later?: ReactNode;
  /** Leaves it for good, before it has begun. */
  readonly never?: ReactNode;
}

interface OffStepProps extends KeySetupProps {
  readonly state: StateAt<"off">;
  readonly generate: Action<[]>;
}

const OffStep = ({ encryption, state, generate, later, never }: OffStepProps) => {
  const [method, setMethod] = useState<SetupMethod>("make");
  const takeSpare = useFormAction(encryption.enableSpareKey);
  const reload = useAction(encryption.refreshMissing);
  const back = (): void => setMethod("make");
  if (method === "import") return <ImportForm encryption={encryption} onImported={back} onCancel={back} />;
  if (method === "own") return <OwnKeyForm encryption={encryption} onUsed={back} onCancel={back} />;
  const problem = generate.problem ?? takeSpare.problem;
  return (
    <div className={styles.panel}>
      <Introduction />
      <WhatChanges />
      <WhatIsProtected />
      {state.isKeyringMissing && (
        <Banner
          kind="error"
          action={
            <Button size="small" onPress={() => reload.run()} isPending={reload.isRunning}>
              Try Again
            </Button>
          }
        >
          {keyringNotLoaded}
        </Banner>
      )}
      {!state.canHoldKeys && !state.isKeyringMissing && (
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
      <div className={styles.choice}>
        <Button variant="primary" onPress={() => generate.run()} isDisabled={!state.canHoldKeys}>
          Generate Encryption Keys
        </Button>
        {later}
        {never}
      </div>
      <ButtonRow startsQuiet>
        <Button variant="quiet" onPress={() => setMethod("import")} isDisabled={!state.canHoldKeys}>
          Import a backup
        </Button>
        <Button variant="quiet" onPress={() => setMethod("own")}>
          Use a key of my own
        </Button>
      </ButtonRow>
    </div>
  );
};

/** The key generation that this component has seen; `fingerprint` is null until the key exists. */
type SeenGeneration = { readonly fingerprint: string | null } | null;

const trackGeneration = (state: Encryption["state$"]["value"], previous: SeenGeneration): SeenGeneration => {
  if (state.at === "made") return { fingerprint: state.key.fingerprint };
  return state.at === "making" ? { fingerprint: null } : previous;
};

interface OnStepProps extends SetupProps {
  readonly state: StateAt<"on">;
  readonly generation: SeenGeneration;
}

/** The result: the new key is in use, or mail is still encrypted to the previous key. */
const OnStep = ({ encryption, state, generation }: OnStepProps) => {
  if (state.isAssumed) return <UncertainBanner encryption={encryption} />;
  if (generation === null || generation.fingerprint === state.fingerprint)
    return <Banner kind="success">Mail to your masks is encrypted from now on.</Banner>;
  const unchangedText = "Mail to your masks is still encrypted to your old key.";
  return generation.fingerprint === null ? (
    <Banner kind="error">The new key could not be created. {unchangedText}</Banner>
  ) : (
    <Banner>The new key is not used. {unchangedText}</Banner>
  );
};

/** Sets up encryption, from the introduction to the saved backup (KE1). */
export const KeySetup = ({ encryption, later, never }: KeySetupProps) => {
  const state = useObservable(encryption.state$);
  const refresh = useFormAction(encryption.refresh);
  const generate = useFormAction(encryption.generate);
  const [generation, setGeneration] = useState<SeenGeneration>(null);
  const next = trackGeneration(state, generation);
  if (next?.fingerprint !== generation?.fingerprint) setGeneration(next);
  switch (state.at) {
    case "loading":
      return (
        <SkeletonRegion label="Loading encryption" className={styles.panel}>
          <Skeleton height="row" shape="block" />
          <Skeleton height="control" shape="block" />
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
            {state.message}
          </Banner>
          <ButtonRow>{later}</ButtonRow>
        </div>
      );
    case "not-offered":
      return (
        <div className={styles.panel}>
          <Banner>{encryptionNotOffered}</Banner>
        </div>
      );
    case "off":
      return (
        <OffStep encryption={encryption} state={state} generate={generate} later={later} never={never} />
      );
    case "making":
      return (
        <div className={styles.panel}>
          <Introduction />
          <ProgressBar label="Generating encryption keys" value={state.percent} />
          <ButtonRow>{later}</ButtonRow>
        </div>
      );
    case "made":
      return <BackupStep key={state.key.fingerprint} encryption={encryption} state={state} later={later} />;
    case "on":
      return <OnStep encryption={encryption} state={state} generation={next} />;
  }
};
