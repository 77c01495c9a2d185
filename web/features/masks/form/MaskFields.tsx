import { type ReactNode, useEffect, useRef } from "react";
import type { Problem } from "../../../../core/api/errorMessages.ts";
import { type Mask, maxDescriptionLength } from "../../../../core/masks/mask.ts";
import type { MaskDraft, RequiredFormField } from "../../../../core/masks/maskDraft.ts";
import { fieldMessage } from "../../../react/useAction.ts";
import { ProblemBanner } from "../../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../../ui/form/Checkbox.tsx";
import { TextArea } from "../../../ui/form/TextArea.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";
import { isMaskGone } from "../maskDialog.ts";
import { AdvancedMaskFields } from "./AdvancedMaskFields.tsx";
import { ForwardToField } from "./ForwardToField.tsx";
import { LabelsField } from "./LabelsField.tsx";
import { PrefixField } from "./PrefixField.tsx";
import type { MaskFormDraft } from "./useMaskDraft.ts";

interface MaskFieldsProps {
  readonly draft: MaskFormDraft;
  readonly problem: Problem | null;
  /** Called when the user types, so that the problem can be cleared. */
  readonly onEdit: () => void;
  /** True for a new mask, whose description gets the focus. */
  readonly isNew?: boolean;
  /** The mask that is edited; absent for a new one. */
  readonly mask?: Mask;
  readonly longestPrefix: number;
  readonly prefixHint: string;
  readonly children?: ReactNode;
}

/** The fields of a mask, shared by the create and the edit dialog (MA5). */
export const MaskFields = ({
  draft,
  problem,
  onEdit,
  isNew = false,
  mask,
  longestPrefix,
  prefixHint,
  children,
}: MaskFieldsProps) => {
  const { values } = draft;
  const description = useRef<HTMLInputElement>(null);
  const forwardTo = useRef<HTMLInputElement>(null);
  const customPrefix = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const fields = { description, forwardTo, customPrefix };
    const wrong = Object.entries(fields).find(([name]) => fieldMessage(problem, name) !== undefined);
    wrong?.[1].current?.focus();
  }, [problem]);

  const change = (part: Partial<MaskDraft>): void => {
    draft.change(part);
    onEdit();
  };

  const controls: Readonly<Record<RequiredFormField, ReactNode>> = {
    description: (
      <TextField
        ref={description}
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
        description="For yourself; nobody else sees it."
      />
    ),
    spamFilter: (
      <Checkbox
        label="Spam filter"
        isChecked={values.spamFilter}
        onChange={(spamFilter) => change({ spamFilter })}
        description="Refuses mail that is forged or looks like spam. Its sender is told."
      />
    ),
  };

  return (
    <>
      {problem && !isMaskGone(problem) && <ProblemBanner problem={problem} />}
      {children}
      {controls.description}
      <ForwardToField
        ref={forwardTo}
        before={mask?.forwardTo}
        value={values.forwardTo}
        onChange={(forwardTo) => change({ forwardTo })}
        error={fieldMessage(problem, "forwardTo")}
      />
      <PrefixField
        ref={customPrefix}
        value={values.customPrefix}
        onChange={(customPrefix) => change({ customPrefix })}
        error={fieldMessage(problem, "customPrefix")}
        longest={longestPrefix}
        hint={prefixHint}
      />
      {controls.spamFilter}
      {controls.labels}
      {controls.note}
      <AdvancedMaskFields values={values} change={change} problem={problem} mask={mask} />
    </>
  );
};
