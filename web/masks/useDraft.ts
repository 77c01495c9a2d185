import { useState } from "react";
import type { MaskDraft } from "../../core/masks/maskDraft.ts";

/** What is being typed into a form of a mask. */
export interface Draft {
  readonly values: MaskDraft;
  readonly change: (part: Partial<MaskDraft>) => void;
  /** Whether closing the form would lose something. */
  readonly isChanged: boolean;
}

export const useDraft = (initial: MaskDraft): Draft => {
  const [first] = useState(initial);
  const [values, setValues] = useState(initial);
  const fields = Object.keys(first) as (keyof MaskDraft)[];
  return {
    values,
    change: (part) => setValues((now) => ({ ...now, ...part })),
    isChanged: fields.some((field) => values[field] !== first[field]),
  };
};
