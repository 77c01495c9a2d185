import { type ReactNode, useEffect } from "react";
import { createEncryption, type Encryption } from "../../../core/encryption/encryption.ts";
import { encryptionNotOffered } from "../../../core/encryption/encryptionMessages.ts";
import { createKeyBackups } from "../../../core/passkeys/keyBackups.ts";
import { createPasskeys } from "../../../core/passkeys/passkeys.ts";
import { longDate } from "../../format/dates.ts";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { useOpening } from "../../loading/useOpening.ts";
import { SettingsCard } from "../../navigation/SettingsCard.tsx";
import { useAction, useFormAction } from "../../react/useAction.ts";
import { useApp, useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "./Encryption.module.css";
import type { EncryptionDialogName, StateAt } from "./encryptionTypes.ts";
import { Fingerprint } from "./Fingerprint.tsx";
import { UncertainBanner } from "./UncertainBanner.tsx";

/** Opens the private key on this device with a passkey; nothing where the browser has none. */
const OpenByPasskey = ({ encryption }: { readonly encryption: Encryption }) => {
  const isSupported = useFeature(createPasskeys).isSupported();
  const backups = useFeature(createKeyBackups);
  const open = useFormAction(backups.open);
  return (
    isSupported && (
      <>
        <Button
          isPending={open.isRunning}
          pendingLabel="Waiting for your passkey…"
          onPress={() => open.run(encryption)}
        >
          Open with a passkey
        </Button>
        <ProblemBanner problem={open.problem} />
      </>
    )
  );
};

interface KeyControlsProps {
  readonly encryption: Encryption;
  readonly state: StateAt<"on">;
  readonly onOpen: (name: EncryptionDialogName) => void;
}

const describeKeyLocation = ({ key, olderKeys }: StateAt<"on">): string => {
  const keyLocation = key
    ? "This device holds the private key and can open your mail."
    : "The private key is on another device or in your mail program. Import its backup to open mail here.";
  if (olderKeys === 0) return keyLocation;
  return `${keyLocation} ${olderKeys === 1 ? "An older key" : `${olderKeys} older keys`} on this device still ${olderKeys === 1 ? "opens" : "open"} older mail.`;
};

const describeExpiry = ({ expires, hasExpired }: StateAt<"on">): string | null => {
  if (expires === null) return null;
  const date = longDate(new Date(expires).toISOString());
  return hasExpired
    ? `This key ended on ${date}: mail to your masks is refused for now, so that none is sent unencrypted. Use another key.`
    : `This key ends on ${date}.`;
};

/** Says what the directory of keys links; shown before it is switched on and as long as it is. */
const describePublication = (isPublished: boolean): string =>
  isPublished
    ? "Your masks are linked: anyone who knows two of them can ask for their keys and see that one person owns both, because all your masks have the same key. Senders can encrypt before they send. A key that names an address is never given out."
    : "Senders could then encrypt before they send. This links your masks: anyone who knows two of them could see that one person owns both, because all your masks have the same key.";

const KeyControls = ({ encryption, state, onOpen }: KeyControlsProps) => {
  const { fingerprint, key, olderKeys, isAssumed, hasExpired, canHoldKeys, isPublished } = state;
  const publish = useFormAction(encryption.publish);
  const expiry = describeExpiry(state);
  return (
    <>
      {isAssumed && <UncertainBanner encryption={encryption} />}
      <p className={styles.muted}>{describeKeyLocation(state)}</p>
      {fingerprint !== null && (
        <p>
          Fingerprint <Fingerprint value={fingerprint} />
        </p>
      )}
      {expiry &&
        (hasExpired ? <Banner kind="error">{expiry}</Banner> : <p className={styles.muted}>{expiry}</p>)}
      {isPublished !== null && (
        <Switch
          label="Senders can find my key"
          description={describePublication(isPublished)}
          isOn={isPublished}
          isPending={publish.isRunning}
          onChange={(on) => publish.run(on)}
        />
      )}
      <ProblemBanner problem={publish.problem} />
      <ButtonRow>
        <Button onPress={() => onOpen("read")}>Open an email</Button>
        {key && <Button onPress={() => onOpen("backup")}>Save another backup</Button>}
        <Button onPress={() => onOpen("import")} isDisabled={!canHoldKeys}>
          Import a backup
        </Button>
        {key === null && canHoldKeys && <OpenByPasskey encryption={encryption} />}
        <Button onPress={() => onOpen("replace")}>Replace the key</Button>
        {(key !== null || olderKeys > 0) && (
          <Button variant="quietDanger" onPress={() => onOpen("forget")}>
            Remove from this device
          </Button>
        )}
        <Button variant="quietDanger" onPress={() => onOpen("off")}>
          Switch off
        </Button>
      </ButtonRow>
    </>
  );
};

const dialogs = createChunk(
  () => import("./EncryptionDialog.tsx"),
  (module) => module.EncryptionDialog,
);

type State = Encryption["state$"]["value"];

/** True if encryption is on, as far as it is known: until the server answers, the account says so. */
const isConfigured = (state: State): boolean =>
  state.at === "on" || ((state.at === "loading" || state.at === "unknown") && state.isConfigured === true);

const statusBadge = (state: State): ReactNode => {
  if (isConfigured(state)) return <Badge kind="success">Configured</Badge>;
  if (state.at === "loading") return <Badge>Loading...</Badge>;
  return <Badge>{state.at === "unknown" ? "Not known" : "Not configured"}</Badge>;
};

const activeText =
  "Every forwarded email is encrypted to a key of yours, subject included, before it is stored or sent on.";
const inactiveText =
  "Once this is set up, every forwarded email is encrypted to a key of yours, subject included, before it is stored or sent on.";

interface SectionProps {
  readonly state: State;
  readonly children?: ReactNode;
}

const EncryptionSection = ({ state, children }: SectionProps) => (
  <SettingsCard
    aside={<span role="status">{statusBadge(state)}</span>}
    text={isConfigured(state) && !(state.at === "on" && state.isAssumed) ? activeText : inactiveText}
  >
    {children}
  </SettingsCard>
);

/** Shows whether mail is encrypted and the actions that change it (SG1). */
export const EncryptionCard = () => {
  const encryption = useFeature(createEncryption);
  const { toasts } = useApp();
  const state = useObservable(encryption.state$);
  const { opened, isOpen, open, close } = useOpening<EncryptionDialogName>();
  const refresh = useFormAction(encryption.refresh);
  const { run: refreshMissing } = useAction(encryption.refreshMissing);
  useEffect(dialogs.prefetch, []);
  useEffect(() => refreshMissing(), [refreshMissing]);
  const setUp = (): void =>
    state.at === "not-offered" ? toasts.show("info", encryptionNotOffered) : open("setup");
  return (
    <EncryptionSection state={state}>
      {state.at === "made" && (
        <Banner kind="warning">A key is ready and waits for its backup. It is not used until then.</Banner>
      )}
      {state.at === "unknown" && (
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
      )}
      {state.at === "on" ? (
        <KeyControls encryption={encryption} state={state} onOpen={open} />
      ) : (
        <ButtonRow>
          {state.at !== "unknown" && !isConfigured(state) && (
            <Button onPress={setUp} isDisabled={state.at === "loading"}>
              {state.at === "made" ? "Continue setup" : "Setup Encryption"}
            </Button>
          )}
          <Button variant="quiet" onPress={() => open("read")} isDisabled={state.at === "loading"}>
            Open an email
          </Button>
          {state.at === "off" && (
            <Button variant="quiet" onPress={() => open("import")} isDisabled={!state.canHoldKeys}>
              Import a backup
            </Button>
          )}
        </ButtonRow>
      )}
      {opened && (
        <Lazy chunk={dialogs} skeleton={null}>
          {(EncryptionDialog) => (
            <EncryptionDialog
              name={opened.target}
              isOpen={isOpen}
              encryption={encryption}
              onOpen={open}
              onClose={close}
            />
          )}
        </Lazy>
      )}
    </EncryptionSection>
  );
};
