import { useState } from "react";
import { createPush, type Push, type PushView } from "../../../core/push/push.ts";
import type { PushDevice } from "../../../core/push/pushEndpoints.ts";
import { pushKinds, pushKindTexts } from "../../../core/push/pushKind.ts";
import { deviceName } from "../../../core/session/deviceName.ts";
import { relativeTime } from "../../format/dates.ts";
import { ItemsCard } from "../../items/ItemsCard.tsx";
import { createChunk } from "../../loading/chunk.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useFeature } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import styles from "../../ui/layout/ItemList.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { Menu } from "../../ui/overlay/Menu.tsx";
import type { PushTarget } from "./PushDialogs.tsx";
import { type PushObstacle, subscribe } from "./thisDevice.ts";
import { type ThisDevice, useThisDevice } from "./useThisDevice.ts";

const dialogs = createChunk(
  () => import("./PushDialogs.tsx"),
  (module) => module.PushDialogs,
);

const obstacleTexts: Readonly<Record<PushObstacle, string>> = {
  unsupported:
    "This browser cannot show notifications of the app. On an iPhone or iPad, add the app to the Home Screen and open it there.",
  blocked:
    "This browser blocks notifications of the app. Allow them in the settings that it has for this site, then reload.",
};

/** What a device is sent at first; the rest is the user's choice. */
const usual = {
  kinds: ["held", "replies", "security"],
  masks: [],
  quietHours: null,
  showsSender: false,
} as const;

const choicesText = ({ kinds, quietHours, showsSender }: PushDevice): string =>
  [
    pushKinds
      .filter((kind) => kinds.includes(kind))
      .map((kind) => pushKindTexts[kind].label)
      .join(", ") || "Nothing is chosen",
    ...(quietHours === null ? [] : [`Quiet from ${quietHours.startTime} to ${quietHours.endTime}`]),
    ...(showsSender ? ["With sender and subject"] : []),
  ].join(" · ");

const lastText = ({ lastSent }: PushDevice): string =>
  lastSent === null
    ? "Nothing was sent yet."
    : `Last sent: ${relativeTime(Date.parse(lastSent), Date.now())}`;

interface DeviceRowProps {
  readonly device: PushDevice;
  readonly isThis: boolean;
  readonly push: Push;
  readonly onOpen: (target: PushTarget) => void;
}

const DeviceRow = ({ device, isThis, push, onOpen }: DeviceRowProps) => {
  const test = useFormAction(push.test);
  const name = deviceName(device.userAgent);
  return (
    <ItemRow
      title={
        <>
          {name}
          {isThis && <Badge kind="accent">This device</Badge>}
        </>
      }
      text={choicesText(device)}
      details={
        <>
          <span className={styles.text}>{lastText(device)}</span>
          <ProblemBanner problem={test.problem} />
        </>
      }
    >
      <ButtonRow>
        <Button
          size="small"
          aria-label={`Change: ${name}`}
          onPress={() => onOpen({ kind: "edit", device, isThis })}
        >
          Change
        </Button>
        <Menu
          label={`Actions for ${name}`}
          size="small"
          items={[
            {
              id: "test",
              label: "Send a test",
              isDisabled: test.isRunning,
              onSelect: () => test.run(device.id),
            },
            {
              id: "remove",
              label: isThis ? "Switch off" : "Remove",
              isDanger: true,
              onSelect: () => onOpen({ kind: "remove", device, isThis }),
            },
          ]}
        />
      </ButtonRow>
    </ItemRow>
  );
};

/** Switches notifications on for this browser, where they are off and can be shown. */
const SwitchOn = ({ push, view, device }: { push: Push; view: PushView; device: ThisDevice }) => {
  const add = useFormAction(push.add);
  const [isAsking, setAsking] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const switchOn = async (): Promise<void> => {
    setAsking(true);
    setFailed(false);
    try {
      const subscribed = await subscribe(window, view.key);
      await device.look();
      if (subscribed) add.run({ ...subscribed, ...usual });
    } catch {
      setFailed(true);
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      <ProblemBanner problem={add.problem} />
      {isFailed && (
        <Banner kind="error">
          The push service of this browser could not be reached. Try again in a minute.
        </Banner>
      )}
      <Button
        variant="primary"
        onPress={() => void switchOn()}
        isPending={isAsking || add.isRunning}
        pendingLabel="Switching on…"
      >
        Switch on for this device
      </Button>
    </>
  );
};

interface DevicesProps {
  readonly push: Push;
  readonly view: PushView;
  readonly device: ThisDevice;
  readonly onOpen: (target: PushTarget) => void;
}

const Devices = ({ push, view, device, onOpen }: DevicesProps) => {
  const { state } = device;
  const { devices } = view;
  // A subscription that was made for an earlier key of the server shows nothing any more: it is made anew.
  const here = state?.own?.key === view.key ? state.own.mark : null;
  const isHere = devices.some(({ mark }) => mark === here);
  const isOff = state !== null && state.obstacle === null && !isHere;
  const switchOn = isOff && <SwitchOn push={push} view={view} device={device} />;
  const obstacle = state?.obstacle && !isHere && <Banner>{obstacleTexts[state.obstacle]}</Banner>;
  if (devices.length === 0)
    return (
      <>
        {obstacle}
        <EmptyState title="No devices yet" action={switchOn || undefined}>
          A device shows held mail, refused replies and what concerns your security, also while the app is
          closed.
        </EmptyState>
      </>
    );
  return (
    <>
      {obstacle}
      <ItemList label="Devices">
        {devices.map((one) => (
          <DeviceRow key={one.id} device={one} isThis={one.mark === here} push={push} onOpen={onOpen} />
        ))}
      </ItemList>
      {switchOn && <ButtonRow>{switchOn}</ButtonRow>}
    </>
  );
};

/** The devices with notifications, and the switch for this one. */
export const PushCard = () => {
  const push = useFeature(createPush);
  const view = useObservable(push.view$);
  const device = useThisDevice();
  return (
    <ItemsCard
      text="Notifications go through the push service of the browser's maker, which learns when one is sent, and not what it says."
      refresh={push.refresh}
      list={view}
      loadingLabel="Loading your devices"
      dialogs={dialogs}
      dialogProps={{ push, onRemovedHere: () => void device.look() }}
    >
      {(loaded, open) => <Devices push={push} view={loaded} device={device} onOpen={open} />}
    </ItemsCard>
  );
};
