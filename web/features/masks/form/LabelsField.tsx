import { useState } from "react";
import { labelsOf, parseLabels } from "../../../../core/labels/label.ts";
import { labelSuggestions } from "../../../../core/labels/labelSuggestions.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { TextField } from "../../../ui/form/TextField.tsx";

interface LabelsFieldProps {
  readonly labels: readonly string[];
  readonly onChange: (labels: readonly string[]) => void;
  readonly error: string | undefined;
}

/** Edits labels as text with commas between them; labels of other masks are offered. */
export const LabelsField = ({ labels, onChange, error }: LabelsFieldProps) => {
  const { masks } = useSignedIn();
  const { all } = useObservable(masks.view$);
  const [typed, setTyped] = useState(labels.join(", "));
  return (
    <TextField
      label="Labels"
      placeholder="shops, work"
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(parseLabels(text));
      }}
      suggestions={labelSuggestions(typed, labelsOf(all))}
      error={error}
      description="Commas separate labels. A label on a card shows all masks that have it."
      autoComplete="off"
    />
  );
};
