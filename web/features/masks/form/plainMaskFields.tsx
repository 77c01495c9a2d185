import type { ReactNode } from "react";
import type { Problem } from "../../../../core/api/errorMessages.ts";
import { maxDescriptionLength } from "../../../../core/masks/mask.ts";
import type { MaskDraft, RequiredFormField } from "../../../../core/masks/maskDraft.ts";
import { fieldMessage } from "../../../react/useAction.ts";
import { Checkbox } from "../../../ui/form/Checkbox.tsx";
import { TextArea } from "../../../ui/form/TextArea.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";
import { LabelsField } from "../../labels/LabelsField.tsx";

interface PlainFieldsOptions {
  readonly values: MaskDraft;
  readonly change: (part: Partial<MaskDraft>) => void;
  readonly problem: Problem | null;
  /** True if the form is that of a new mask, whose description gets the focus. */
  readonly isNew: boolean;
}

/** The plain fields that the create and the edit form always have. */
export const plainMaskFields = ({
  values,
  change,
  problem,
  isNew,
}: PlainFieldsOptions): Readonly<Record<RequiredFormField, ReactNode>> => ({
  description: (
    <TextField
      label="Description"
      placeholder="Where you will use it"
      value={values.description}
      onChange={(description) => change({ description })}
      error={fieldMessage(problem, "description")}
      isRequired
      maxLength={maxDescriptionLength}
      autoComplete="off"
      autoFocus={isNew}
    />
  ),
  labels: (
    <LabelsField
      label="Labels"
      placeholder="shops, work"
      description="Separate labels with commas."
      labels={values.labels}
      onChange={(labels) => change({ labels })}
      error={fieldMessage(problem, "labels")}
    />
  ),
  note: (
    <TextArea
      label="Note"
      rows={2}
      value={values.note}
      onChange={(note) => change({ note })}
      error={fieldMessage(problem, "note")}
      description="Only you see it."
    />
  ),
  spamFilter: (
    <Checkbox
      label="Spam filter"
      isChecked={values.spamFilter}
      onChange={(spamFilter) => change({ spamFilter })}
      description="Refuses mail that is forged or looks like spam, and notifies the sender."
    />
  ),
});
