import { useState } from "react";
import { labelsOf, parseLabels } from "../../../core/labels/label.ts";
import { labelSuggestions } from "../../../core/labels/labelSuggestions.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { TextField } from "../../ui/form/TextField.tsx";

interface LabelsFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly description: string;
  readonly labels: readonly string[];
  readonly onChange: (labels: readonly string[]) => void;
  readonly error: string | undefined;
}

/** Edits labels as text with commas between them; labels of other masks are offered. */
export const LabelsField = ({ labels, onChange, ...field }: LabelsFieldProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const [typed, setTyped] = useState(labels.join(", "));
  return (
    <TextField
      {...field}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(parseLabels(text));
      }}
      suggestions={labelSuggestions(typed, labelsOf(all))}
      autoComplete="off"
    />
  );
};
