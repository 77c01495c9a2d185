import { maxPasskeys, type Passkey, type Passkeys as View } from "../../../core/passkeys/passkeyEndpoints.ts";
import { createPasskeys, type Passkeys } from "../../../core/passkeys/passkeys.ts";
import { relativeTime, shortDate } from "../../format/dates.ts";
import { ItemsCard } from "../../items/ItemsCard.tsx";
import { createChunk } from "../../loading/chunk.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { KeyBackupPart } from "./KeyBackupPart.tsx";
import type { PasskeyTarget } from "./PasskeyDialogs.tsx";

const dialogs = createChunk(
  () => import("./PasskeyDialogs.tsx"),
  (module) => module.PasskeyDialogs,
);

interface PasskeyRowProps {
  readonly passkey: Passkey;
  readonly onOpen: (target: PasskeyTarget) => void;
}

const PasskeyRow = ({ passkey, onOpen }: PasskeyRowProps) => {
  const { name, created, lastUsed, isSynced, isCurrent, opensMail } = passkey;
  const used =
    lastUsed === null ? "Not used yet" : `Last used: ${relativeTime(Date.parse(lastUsed), Date.now())}`;
  return (
    <ItemRow
      title={
        <>
          {name}
          {isCurrent && <Badge kind="accent">This session</Badge>}
        </>
      }
      text={`${used} · Created ${shortDate(created)} · ${isSynced ? "Synced to your devices" : "On one device only"}${opensMail ? " · Opens your mail" : ""}`}
    >
      <ButtonRow>
        <Button
          size="small"
          aria-label={`Rename: ${name}`}
          onPress={() => onOpen({ kind: "rename", passkey })}
        >
          Rename
        </Button>
        <Button
          size="small"
          aria-label={`Remove: ${name}`}
          onPress={() => onOpen({ kind: "remove", passkey })}
        >
          Remove
        </Button>
      </ButtonRow>
    </ItemRow>
  );
};

interface LoadedProps {
  readonly view: View;
  readonly passkeys: Passkeys;
  readonly onOpen: (target: PasskeyTarget) => void;
}

const OnlyPart = ({ view, passkeys, onOpen }: LoadedProps) => {
  const allow = useFormAction(passkeys.setOnly);
  if (view.passkeys.length === 0) return null;
  if (view.only)
    return (
      <>
        <p>Passkeys are required. A code by email is not enough.</p>
        <ButtonRow>
          <Button isPending={allow.isRunning} onPress={() => allow.run(false)}>
            Allow codes by email again
          </Button>
        </ButtonRow>
        <ProblemBanner problem={allow.problem} />
      </>
    );
  if (!view.mayBeOnly)
    return (
      <p>
        Codes by email work too. To require passkeys, add a second one, or switch on two-factor
        authentication, which has recovery codes.
      </p>
    );
  return (
    <ButtonRow>
      <Button onPress={() => onOpen({ kind: "only" })}>Log in with passkeys only</Button>
    </ButtonRow>
  );
};

const PasskeyList = ({ view, passkeys, onOpen }: LoadedProps) => {
  const add = useFormAction(passkeys.add);
  const isSupported = passkeys.isSupported();
  const button = isSupported && view.passkeys.length < maxPasskeys && (
    <Button
      isPending={add.isRunning}
      pendingLabel="Waiting for your device…"
      onPress={() => add.run()}
      // With the first passkey, the button of the list takes the place of the one that was pressed.
      autoFocus={add.isRunning}
    >
      Add passkey
    </Button>
  );
  return (
    <>
      {view.passkeys.length === 0 ? (
        <EmptyState title="No passkeys yet" action={button || undefined}>
          {isSupported
            ? "Log in with your fingerprint, face or PIN instead of waiting for an email."
            : "This browser has no passkeys at this address. They need HTTPS and a domain name, not a number."}
        </EmptyState>
      ) : (
        <>
          <ItemList label="Passkeys">
            {view.passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onOpen={onOpen} />
            ))}
          </ItemList>
          <ButtonRow>{button}</ButtonRow>
        </>
      )}
      <ProblemBanner problem={add.problem} />
      {view.passkeys.length > 0 && <KeyBackupPart passkeys={passkeys} />}
      <OnlyPart view={view} passkeys={passkeys} onOpen={onOpen} />
    </>
  );
};

/** The passkeys, which log in without a code: devices, password managers and security keys. */
export const PasskeysCard = () => {
  const passkeys = useFeature(createPasskeys);
  return (
    <ItemsCard
      text="Log in with a device, a password manager or a security key. No address to type and no email to wait for."
      refresh={passkeys.refresh}
      list={useObservable(passkeys.view$)}
      loadingLabel="Loading your passkeys"
      dialogs={dialogs}
      dialogProps={{ passkeys }}
    >
      {(view, open) => <PasskeyList view={view} passkeys={passkeys} onOpen={open} />}
    </ItemsCard>
  );
};
