import { useState } from "react";
import {
  type Destination,
  type DestinationChange,
  maxDestinationName,
} from "../../../core/destinations/destinationEndpoints.ts";
import type { Destinations } from "../../../core/destinations/destinations.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import type { ItemDialogProps } from "../../items/ItemsCard.tsx";
import { NameDialog } from "../../items/NameDialog.tsx";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
import { DestinationKeysField, noKeyChange } from "./DestinationKeysField.tsx";

/** A dialog about the addresses that mail is forwarded to. */
export type DestinationTarget =
  | { readonly kind: "add" }
  | { readonly kind: "edit" | "remove"; readonly destination: Destination };

interface DestinationDialogsProps extends ItemDialogProps<DestinationTarget> {
  readonly destinations: Destinations;
}

type DialogProps = Omit<DestinationDialogsProps, "target">;

type AboutOneProps = DialogProps & { readonly destination: Destination };

const AddDialog = ({ destinations, ...dialog }: DialogProps) => (
  <NameDialog
    {...dialog}
    title="Add address"
    field={{
      label: "Address",
      type: "email",
      inputMode: "email",
      autoCapitalize: "none",
      autoComplete: "email",
      spellCheck: false,
      description: "The address gets one email with a link to confirm it, and no other mail until then.",
    }}
    fields={["email", "forwardTo"]}
    action={(email) => destinations.add(email.trim())}
    submitLabel="Add address"
    pendingLabel="Adding…"
  />
);

const EditDialog = ({ destinations, destination, isOpen, onClose }: AboutOneProps) => {
  const { id, email, isDefault, status } = destination;
  const [name, setName] = useState(destination.name);
  const [makesDefault, setMakesDefault] = useState(isDefault);
  const [keys, setKeys] = useState(noKeyChange);
  const edit = useFormAction(destinations.edit, { onSuccess: onClose });
  const change: DestinationChange = {
    ...(name !== destination.name && { name }),
    ...(makesDefault && !isDefault && { isDefault: true as const }),
    ...(keys.removed.length > 0 && { removeKeys: [...keys.removed] }),
    ...(keys.pasted !== "" && { addKeys: [keys.pasted] }),
  };
  const problems = [fieldMessage(edit.problem, "name"), fieldMessage(edit.problem, "addKeys")];
  const canBeDefault = status === "confirmed" && !isDefault;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={email}
      onSubmit={() => (Object.keys(change).length === 0 ? onClose() : edit.run(id, change))}
      isPending={edit.isRunning}
      submitLabel="Save"
      pendingLabel="Saving…"
    >
      <TextField
        label="Name"
        placeholder="Work"
        value={name}
        onChange={(value) => {
          setName(value);
          edit.clearProblem();
        }}
        maxLength={maxDestinationName}
        error={problems[0]}
        autoComplete="off"
        autoFocus
      />
      <Checkbox
        label="New masks forward here"
        isChecked={makesDefault}
        onChange={setMakesDefault}
        isDisabled={!canBeDefault}
        description={
          isDefault
            ? "To change it, choose another address."
            : "Unless you enter another address for the mask."
        }
      />
      <DestinationKeysField
        destinations={destinations}
        destination={destination}
        change={keys}
        onChange={(change) => {
          setKeys(change);
          edit.clearProblem();
        }}
        error={problems[1]}
      />
      {problems.every((problem) => problem === undefined) && <ProblemBanner problem={edit.problem} />}
    </FormDialog>
  );
};

const switchOff = "off";

const RemoveDialog = ({ destinations, destination, ...dialog }: AboutOneProps) => {
  const { id, email } = destination;
  const list = useObservable(destinations.list$) ?? [];
  const { masks } = list.find((one) => one.id === id) ?? destination;
  const others = list.filter((one) => one.id !== id && one.status === "confirmed");
  const [chosen, setChosen] = useState<string>();
  const to = chosen ?? (others.find(({ isDefault }) => isDefault) ?? others[0])?.id ?? switchOff;
  return (
    <ActionDialog
      {...dialog}
      title={`Remove ${email}?`}
      confirmLabel="Remove"
      pendingLabel="Removing…"
      isDanger
      action={() =>
        destinations.remove(destination, {
          masks: to === switchOff ? { kind: "switchOff" } : { kind: "move", to },
        })
      }
    >
      {masks > 0 && (
        <>
          <p>{masks === 1 ? "1 mask forwards" : `${masks} masks forward`} there.</p>
          <Select
            label="From now on they"
            options={[
              ...others.map((one) => ({
                value: one.id,
                label: `Forward to ${one.name || one.email}`,
                ...(one.name !== "" && { description: one.email }),
              })),
              {
                value: switchOff,
                label: "Switch off",
                description: "Masks that also forward to another address keep that one.",
              },
            ]}
            value={to}
            onChange={setChosen}
          />
        </>
      )}
      <p>
        Rules that forward there then use the mask's own address. Mail that was already accepted is still
        delivered there. To use the address again, confirm it again.
      </p>
    </ActionDialog>
  );
};

/** Shows the requested dialog. */
export const DestinationDialogs = ({ target, ...dialog }: DestinationDialogsProps) => {
  switch (target.kind) {
    case "add":
      return <AddDialog {...dialog} />;
    case "edit":
      return <EditDialog {...dialog} destination={target.destination} />;
    case "remove":
      return <RemoveDialog {...dialog} destination={target.destination} />;
  }
};
