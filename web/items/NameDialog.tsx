import { useState } from "react";
import { fieldMessage, useFormAction } from "../react/useAction.ts";
import { ProblemBanner } from "../ui/feedback/ProblemBanner.tsx";
import { TextField, type TextFieldProps } from "../ui/form/TextField.tsx";
import { FormDialog, type FormDialogProps } from "../ui/overlay/FormDialog.tsx";

type NameField = Omit<TextFieldProps, "value" | "onChange" | "error" | "autoFocus">;

export interface NameDialogProps<A>
  extends Pick<FormDialogProps, "isOpen" | "onClose" | "title" | "submitLabel" | "pendingLabel"> {
  /** The name that the thing has; empty for a new one. */
  readonly initial?: string;
  /** The field, which may show what is entered. */
  readonly field: NameField | ((name: string) => NameField);
  /** The fields of the server's answer whose errors belong to the name. */
  readonly fields?: readonly string[];
  readonly action: Parameters<typeof useFormAction<[string], A>>[0];
  /** Called when the action is done, in place of `onClose`. */
  readonly onDone?: (answer: A) => void;
}

/** Asks for a name, for a new thing or in place of its present one, which closes the dialog unchanged. */
export const NameDialog = <A,>(props: NameDialogProps<A>) => {
  const { initial = "", field, fields = ["name"], action, onDone = props.onClose, ...dialog } = props;
  const [name, setName] = useState(initial);
  const { run, isRunning, problem, clearProblem } = useFormAction(action, { onSuccess: onDone });
  const nameProblem = fields
    .map((one) => fieldMessage(problem, one))
    .find((message) => message !== undefined);
  return (
    <FormDialog
      {...dialog}
      size="small"
      onSubmit={() => (initial !== "" && name === initial ? props.onClose() : run(name))}
      isPending={isRunning}
    >
      <TextField
        autoComplete="off"
        {...(typeof field === "function" ? field(name) : field)}
        value={name}
        onChange={(value) => {
          setName(value);
          clearProblem();
        }}
        error={nameProblem}
        autoFocus
      />
      {nameProblem === undefined && <ProblemBanner problem={problem} />}
    </FormDialog>
  );
};
