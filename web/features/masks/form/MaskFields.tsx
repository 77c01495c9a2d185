import { useRef } from "react";
import type { Problem } from "../../../../core/api/errorMessages.ts";
import type { MaskDraft } from "../../../../core/masks/maskDraft.ts";
import { fieldMessage } from "../../../react/useAction.ts";
import { ProblemBanner } from "../../../ui/feedback/ProblemBanner.tsx";
import { useFirstError } from "../../../ui/form/useFirstError.ts";
import body from "../../../ui/layout/DialogBody.module.css";
import { AdvancedMaskFields } from "./AdvancedMaskFields.tsx";
import { ForwardToField } from "./ForwardToField.tsx";
import { SameSiteHint } from "./MadeForField.tsx";
import { PrefixField } from "./PrefixField.tsx";
import { plainMaskFields } from "./plainMaskFields.tsx";
import type { MaskFormDraft } from "./useMaskDraft.ts";

interface MaskFieldsProps {
  readonly draft: MaskFormDraft;
  readonly problem: Problem | null;
  /** Called when the user types, so that the problem can be cleared. */
  readonly onEdit: () => void;
  readonly longestPrefix: number;
  readonly prefixHint: string;
}

/** The fields of a new mask (MA5). */
export const MaskFields = ({ draft, problem, onEdit, longestPrefix, prefixHint }: MaskFieldsProps) => {
  const { values } = draft;
  const form = useRef<HTMLDivElement>(null);
  useFirstError(form, problem);

  const change = (part: Partial<MaskDraft>): void => {
    draft.change(part);
    onEdit();
  };
  const fields = plainMaskFields({ values, change, problem, isNew: true });

  return (
    <div className={body.stack} ref={form}>
      <ProblemBanner problem={problem} />
      {fields.description}
      <SameSiteHint values={values} />
      <ForwardToField
        before={undefined}
        value={values.forwardTo}
        onChange={(forwardTo) => change({ forwardTo })}
        error={fieldMessage(problem, "forwardTo")}
      />
      <PrefixField
        value={values.customPrefix}
        onChange={(customPrefix) => change({ customPrefix })}
        error={fieldMessage(problem, "customPrefix")}
        longest={longestPrefix}
        hint={prefixHint}
      />
      {fields.spamFilter}
      {fields.labels}
      {fields.note}
      <AdvancedMaskFields values={values} change={change} problem={problem} />
    </div>
  );
};
