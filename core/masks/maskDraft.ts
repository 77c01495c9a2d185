import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as t from "io-ts";
import { fieldErrorsOf } from "../api/fieldErrors.ts";
import { type Failure, invalid } from "../kernel/failure.ts";
import {
  CustomPrefix,
  ForwardTo,
  type Mask,
  type MaskEdit,
  type MaskFieldName,
  type MaskFieldValue,
  maskFieldNames,
  maskFields,
  type NewMask,
  placeFields,
  plainFieldsOf,
} from "./mask.ts";

/** A plain field that the create and the edit form have. */
export type FormField = {
  [N in MaskFieldName]: (typeof maskFields)[N]["isInForm"] extends true ? N : never;
}[MaskFieldName];

type FormFields = { readonly [N in FormField]: MaskFieldValue<N> };

/** A mask as typed into a form. An empty prefix means none. */
export interface MaskDraft extends FormFields {
  readonly forwardTo: string;
  readonly customPrefix: string;
}

const formFields = maskFieldNames.filter((name): name is FormField => maskFields[name].isInForm);

type FormCodecs<K extends "input" | "stored"> = { [N in FormField]: (typeof maskFields)[N][K] };

const formCodecs = <K extends "input" | "stored">(kind: K): FormCodecs<K> =>
  Object.fromEntries(formFields.map((name) => [name, maskFields[name][kind]])) as FormCodecs<K>;

const pickFormFields = (fields: FormFields): FormFields =>
  Object.fromEntries(formFields.map((name) => [name, fields[name]])) as FormFields;

/** Returns the draft of a mask; without one, of an empty form. */
export const toMaskDraft = (mask?: Mask): MaskDraft => ({
  ...pickFormFields(plainFieldsOf(mask ?? {})),
  forwardTo: mask?.forwardTo ?? "",
  customPrefix: mask?.customPrefix ?? "",
});

const StoredDraft = t.type({
  ...formCodecs("stored"),
  forwardTo: t.string,
  customPrefix: t.string,
});

/** Decodes input that was kept for a form, valid or not; null when it is not that of such a form. */
export const decodeMaskDraft = (input: unknown): MaskDraft | null => {
  const decoded = t.exact(StoredDraft).decode(input);
  return E.isRight(decoded) ? decoded.right : null;
};

/** Where a new mask comes from; the suggestion is stored with the mask (MA10). */
export type MaskOrigin =
  | { readonly kind: "plain" }
  | { readonly kind: "template" }
  | { readonly kind: "suggestion"; readonly suggestionId: string; readonly suggestionCategory: string };

const Checked = t.type({
  ...formCodecs("input"),
  forwardTo: ForwardTo,
  customPrefix: t.union([CustomPrefix, t.null]),
});

const trimmed = (draft: MaskDraft) =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]),
  );

const checkDraft = (draft: MaskDraft): E.Either<Failure, t.TypeOf<typeof Checked>> =>
  pipe(
    Checked.decode({ ...trimmed(draft), customPrefix: draft.customPrefix.trim() || null }),
    E.mapLeft((errors) => invalid(fieldErrorsOf(errors))),
  );

const premiumOnly: Failure = invalid([
  { field: "customPrefix", message: "Only the Premium plan can choose the prefix. Leave it empty." },
]);

/** Builds the request body that creates a mask, or fails with field errors. Only some plans have prefixes (AC5). */
export const toNewMask = (
  draft: MaskDraft,
  origin: MaskOrigin,
  mayChoosePrefix: boolean,
): E.Either<Failure, NewMask> =>
  pipe(
    checkDraft(draft),
    E.filterOrElse(
      ({ customPrefix }) => customPrefix === null || mayChoosePrefix,
      () => premiumOnly,
    ),
    E.map(({ forwardTo, customPrefix, ...fields }) => ({
      ...placeFields(pickFormFields(fields)),
      forwardTo,
      ...(customPrefix === null ? {} : { customPrefix }),
      ...(origin.kind === "suggestion"
        ? {
            metadata: {
              suggestionId: origin.suggestionId,
              suggestionCategory: origin.suggestionCategory,
            },
          }
        : {}),
    })),
  );

/** Builds the request body that changes a mask, or fails with field errors. An unchanged prefix is not sent. */
export const toMaskEdit = (
  draft: MaskDraft,
  mask: Mask | undefined,
  mayChoosePrefix: boolean,
): E.Either<Failure, MaskEdit> => {
  const isSame = (prefix: string | null): boolean => prefix === (mask?.customPrefix || null);
  return pipe(
    checkDraft(draft),
    E.filterOrElse(
      ({ customPrefix }) => isSame(customPrefix) || mayChoosePrefix,
      () => premiumOnly,
    ),
    E.map(({ forwardTo, customPrefix, ...fields }) => ({
      ...placeFields(pickFormFields(fields)),
      forwardTo,
      ...(isSame(customPrefix) ? {} : { customPrefix }),
    })),
  );
};
