import { useCallback, useState } from "react";
import { createFormDrafts } from "../../core/formDrafts/formDrafts.ts";
import { useFeature } from "./useApp.ts";

interface FormDraft<A> {
  /** The text that the user had typed when the page was left; null when there is none. */
  readonly restored: A | null;
  /** Keeps the input for a reload; null forgets it, after it was saved or discarded. */
  readonly keep: (input: A | null) => void;
}

/** The unsaved input of a form, which survives a reload. `form` is null for a form whose input is not kept. */
export const useFormDraft = <A>(form: string | null, decode: (input: unknown) => A | null): FormDraft<A> => {
  const drafts = useFeature(createFormDrafts);
  const [restored] = useState(() => (form === null ? null : decode(drafts.read(form))));
  const keep = useCallback(
    (input: A | null) => {
      if (form !== null) drafts.keep(form, input ?? undefined);
    },
    [drafts, form],
  );
  return { restored, keep };
};
