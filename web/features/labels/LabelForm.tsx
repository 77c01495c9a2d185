import { useState } from "react";
import type { Label, LabelColor } from "../../../core/labels/labelEndpoints.ts";
import type { MaskLabels } from "../../../core/labels/labels.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Select, type SelectOption } from "../../ui/form/Select.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import styles from "../../ui/layout/DialogBody.module.css";
import { ButtonRow } from "../../ui/layout/layout.tsx";

const colors: readonly SelectOption<LabelColor>[] = [
  { value: "gray", label: "Gray" },
  { value: "teal", label: "Teal" },
  { value: "blue", label: "Blue" },
  { value: "purple", label: "Purple" },
  { value: "green", label: "Green" },
  { value: "amber", label: "Amber" },
  { value: "red", label: "Red" },
];

export interface LabelFormProps {
  readonly labels: MaskLabels;
  readonly label: Label;
  readonly onClose: () => void;
}

/** Renames and colors a label; a name that another label has merges the two after a second press. */
export const LabelForm = ({ labels, label, onClose }: LabelFormProps) => {
  const [name, setName] = useState(label.name);
  const [color, setColor] = useState(label.color);
  const edit = useFormAction(labels.edit, { onSuccess: onClose });
  const taken = edit.problem?.failure.kind === "refused" && edit.problem.failure.status === 409;
  const save = (merge: boolean): void =>
    edit.run(label.name, {
      ...(name !== label.name && { name }),
      ...(color !== label.color && { color }),
      ...(merge && { merge }),
    });
  const nameProblem = fieldMessage(edit.problem, "name");
  return (
    <form
      className={styles.stack}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        save(false);
      }}
    >
      <TextField
        label="Name"
        value={name}
        onChange={(value) => {
          setName(value);
          edit.clearProblem();
        }}
        error={nameProblem}
        maxLength={40}
        autoComplete="off"
        autoFocus
      />
      <Select label="Color" options={colors} value={color} onChange={setColor} />
      {nameProblem === undefined && <ProblemBanner problem={edit.problem} />}
      <ButtonRow>
        {taken ? (
          <Button variant="primary" isPending={edit.isRunning} onPress={() => save(true)}>
            Merge with {name.trim()}
          </Button>
        ) : (
          <Button type="submit" variant="primary" isPending={edit.isRunning}>
            Save
          </Button>
        )}
        <Button onPress={onClose} isDisabled={edit.isRunning}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
};
