import * as t from "io-ts";
import { json, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";

const StoredDrafts = t.type({ owner: t.string, forms: t.record(t.string, t.unknown) });

/** The unsaved input of forms, which survives a reload of the tab. The form decodes what it reads. */
export interface FormDrafts {
  /** Returns the input that was kept for a form; undefined when there is none. */
  readonly read: (form: string) => unknown;
  /** Keeps the input of a form; undefined removes it. */
  readonly keep: (form: string, input: unknown) => void;
}

interface FormDraftsDeps {
  readonly store: Store;
  readonly owner: () => string | null;
}

/** Creates the drafts of the signed-in user; those of another user are neither shown nor kept. */
export const createFormDrafts = ({ store, owner }: FormDraftsDeps): FormDrafts => {
  const stored = store.get(storedKeys.formDrafts, json(StoredDrafts));
  const read = (): t.TypeOf<typeof StoredDrafts>["forms"] => {
    const drafts = stored.read();
    return drafts !== null && drafts.owner === owner() ? drafts.forms : {};
  };
  return {
    read: (form) => read()[form],
    keep: (form, input) => {
      const email = owner();
      const { [form]: _, ...others } = read();
      if (email === null) return;
      const forms = input === undefined ? others : { ...others, [form]: input };
      if (Object.keys(forms).length === 0) stored.remove();
      else stored.write({ owner: email, forms });
    },
  };
};
