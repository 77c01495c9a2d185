import { useState } from "react";
import type { MaskLabels } from "../../../core/labels/labels.ts";
import { useFormAction } from "../../react/useAction.ts";
import { Button } from "../../ui/Button.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import own from "./LabelList.module.css";

interface NewLabelProps {
  readonly labels: MaskLabels;
  readonly isDisabled: boolean;
}

/** The form that makes a label. */
export const NewLabel = ({ labels, isDisabled }: NewLabelProps) => {
  const [name, setName] = useState("");
  const create = useFormAction(labels.create, { onSuccess: () => setName("") });
  return (
    <form
      className={own.add}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        create.run(name);
      }}
    >
      <TextField
        label="New label"
        value={name}
        onChange={(value) => {
          setName(value);
          create.clearProblem();
        }}
        error={create.problem?.message}
        maxLength={40}
        autoComplete="off"
      />
      <Button type="submit" isPending={create.isRunning} isDisabled={isDisabled || name.trim() === ""}>
        Add label
      </Button>
    </form>
  );
};
