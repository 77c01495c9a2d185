import { useState } from "react";
import { decodeMaskDraft, type MaskDraft } from "../../../../core/masks/maskDraft.ts";
import { useFormDraft } from "../../../react/useFormDraft.ts";

/** The values of the form of a mask, as they are edited. */
export interface MaskFormDraft {
  readonly values: MaskDraft;
  readonly change: (part: Partial<MaskDraft>) => void;
  /** True when closing the form would lose changes. */
  readonly isChanged: boolean;
  /** True if the form shows what was typed before a reload. */
  readonly isRestored: boolean;
  /** Deletes the input kept for a reload, after it was saved or discarded. */
  readonly forget: () => void;
}

/** The values of a form; `form` names it in what is kept for a reload, null keeps nothing. */
export const useMaskDraft = (initial: MaskDraft, form: string | null): MaskFormDraft => {
  const { restored, keep } = useFormDraft(form, decodeMaskDraft);
  const [initialValues] = useState(initial);
  const [values, setValues] = useState(restored ?? initial);
  const isDifferent = (draft: MaskDraft): boolean =>
    (Object.keys(draft) as (keyof MaskDraft)[]).some(
      (field) => JSON.stringify(draft[field]) !== JSON.stringify(initialValues[field]),
    );
  return {
    values,
    change: (part) => {
      const next = { ...values, ...part };
      setValues(next);
      keep(isDifferent(next) ? next : null);
    },
    isChanged: isDifferent(values),
    isRestored: restored !== null,
    forget: () => keep(null),
  };
};
