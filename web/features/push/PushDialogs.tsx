import { useState } from "react";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import type { Push } from "../../../core/push/push.ts";
import { maxPushMasks, type PushDevice, type PushDeviceEdit } from "../../../core/push/pushEndpoints.ts";
import { pushKinds, pushKindTexts } from "../../../core/push/pushKind.ts";
import { usualNight } from "../../../core/push/quietHours.ts";
import { deviceName } from "../../../core/session/deviceName.ts";
import { localTimeZone } from "../../format/dates.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import type { ItemDialogProps } from "../../items/ItemsCard.tsx";
import { useFormAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import styles from "../../ui/form/Field.module.css";
import { TextField } from "../../ui/form/TextField.tsx";
import stack from "../../ui/layout/DialogBody.module.css";
import { ItemList, ItemRow } from "../../ui/layout/ItemList.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
import { MaskSelect } from "../masks/select/MaskSelect.tsx";
import { unsubscribe } from "./thisDevice.ts";

/** A dialog about a device with notifications. */
export interface PushTarget {
  readonly kind: "edit" | "remove";
  readonly device: PushDevice;
  /** True for the browser that shows the dialog. */
  readonly isThis: boolean;
}

type Choices = Required<PushDeviceEdit>;

interface FieldsProps {
  readonly choices: Choices;
  readonly onChange: (change: PushDeviceEdit) => void;
}

const KindFields = ({ choices: { kinds }, onChange }: FieldsProps) => (
  <fieldset className={stack.stack}>
    <legend className="visually-hidden">What it shows</legend>
    <span className={styles.label} aria-hidden="true">
      What it shows
    </span>
    {pushKinds.map((kind) => (
      <Checkbox
        key={kind}
        label={pushKindTexts[kind].label}
        description={pushKindTexts[kind].sentence}
        isChecked={kinds.includes(kind)}
        onChange={(isChecked) =>
          onChange({ kinds: pushKinds.filter((one) => (one === kind ? isChecked : kinds.includes(one))) })
        }
      />
    ))}
  </fieldset>
);

/** Chooses the masks whose mail a device shows. */
const MaskFields = ({ choices: { masks: chosen }, onChange }: FieldsProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const named = chosen.flatMap((id) => all.find((mask) => mask.id === id) ?? []);
  return (
    <div className={stack.stack}>
      {named.length > 0 && (
        <ItemList label="Chosen masks">
          {named.map((mask) => (
            <ItemRow key={mask.id} title={maskName(mask)} text={mask.maskEmail}>
              <Button
                size="small"
                aria-label={`Remove: ${maskName(mask)}`}
                onPress={() => onChange({ masks: chosen.filter((id) => id !== mask.id) })}
              >
                Remove
              </Button>
            </ItemRow>
          ))}
        </ItemList>
      )}
      {chosen.length < maxPushMasks && (
        <MaskSelect
          label="Add a mask"
          masks={all.filter(({ id }) => !chosen.includes(id))}
          value={undefined}
          onChange={(id) => onChange({ masks: [...chosen, id] })}
        />
      )}
    </div>
  );
};

const QuietFields = ({ choices: { quietHours }, onChange }: FieldsProps) => (
  <>
    <Checkbox
      label="Quiet hours"
      description="What comes meanwhile is shown at their end."
      isChecked={quietHours !== null}
      onChange={(isOn) =>
        onChange({ quietHours: isOn ? { ...usualNight, timeZone: localTimeZone() } : null })
      }
    />
    {quietHours !== null && (
      <>
        <TextField
          label="From"
          type="time"
          value={quietHours.startTime}
          onChange={(startTime) => onChange({ quietHours: { ...quietHours, startTime } })}
        />
        <TextField
          label="To"
          type="time"
          value={quietHours.endTime}
          onChange={(endTime) => onChange({ quietHours: { ...quietHours, endTime } })}
          description={`In ${quietHours.timeZone}`}
        />
      </>
    )}
  </>
);

interface DialogProps extends Omit<ItemDialogProps<PushTarget>, "target"> {
  readonly push: Push;
  readonly device: PushDevice;
}

const EditDialog = ({ push, device, isOpen, onClose }: DialogProps) => {
  const { kinds, masks, quietHours, showsSender } = device;
  const [choices, setChoices] = useState<Choices>({ kinds, masks, quietHours, showsSender });
  const save = useFormAction(push.edit, { onSuccess: onClose });
  const onChange = (change: PushDeviceEdit): void => {
    setChoices((before) => ({ ...before, ...change }));
    save.clearProblem();
  };
  const fields = { choices, onChange };
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Notifications of ${deviceName(device.userAgent)}`}
      submitLabel="Save"
      pendingLabel="Saving…"
      isPending={save.isRunning}
      onSubmit={() => save.run(device.id, changedOf(device, choices))}
    >
      <KindFields {...fields} />
      {choices.kinds.includes("masks") && <MaskFields {...fields} />}
      <QuietFields {...fields} />
      <Checkbox
        label="Show sender and subject"
        description="Whoever sees the locked screen reads them. While this is off, a notification names the mask alone. With a key, the subject is never shown."
        isChecked={choices.showsSender}
        onChange={(isOn) => onChange({ showsSender: isOn })}
      />
      <ProblemBanner problem={save.problem} />
    </FormDialog>
  );
};

/** Returns what has changed: to show senders needs a proof, which nothing else does. */
const changedOf = (device: PushDevice, { showsSender, ...choices }: Choices): PushDeviceEdit => ({
  ...choices,
  ...(showsSender !== device.showsSender && { showsSender }),
});

interface RemoveDialogProps extends DialogProps {
  readonly isThis: boolean;
  readonly onRemovedHere: () => void;
}

const RemoveDialog = ({ push, device, isThis, isOpen, onClose, onRemovedHere }: RemoveDialogProps) => {
  const name = deviceName(device.userAgent);
  const done = (): void => {
    onClose();
    if (isThis) void unsubscribe(window).finally(onRemovedHere);
  };
  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      onDone={done}
      title={isThis ? "Switch notifications off for this device?" : `Remove ${name}?`}
      confirmLabel={isThis ? "Switch off" : "Remove"}
      action={() => push.remove(device.id)}
    >
      It shows no notifications any more. You can switch them on again there.
    </ActionDialog>
  );
};

interface PushDialogsProps extends ItemDialogProps<PushTarget> {
  readonly push: Push;
  /** Called when this browser has no notifications any more. */
  readonly onRemovedHere: () => void;
}

/** The dialogs about devices with notifications. */
export const PushDialogs = ({ target, onRemovedHere, ...dialog }: PushDialogsProps) =>
  target.kind === "edit" ? (
    <EditDialog {...dialog} device={target.device} />
  ) : (
    <RemoveDialog {...dialog} device={target.device} isThis={target.isThis} onRemovedHere={onRemovedHere} />
  );
