import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as t from "io-ts";
import { fieldErrorsOf } from "../api/fieldErrors.ts";
import { type Failure, invalid } from "../kernel/failure.ts";
import { CustomPrefix, Description, ForwardTo, type Mask, type MaskEdit, type NewMask } from "./mask.ts";

/** A mask as typed into a form. An empty prefix means none. */
export interface MaskDraft {
  readonly description: string;
  readonly forwardTo: string;
  readonly spamFilter: boolean;
  readonly customPrefix: string;
}

/** Where a new mask comes from; the suggestion is stored with the mask (MA10). */
export type MaskOrigin =
  | { readonly kind: "plain" }
  | { readonly kind: "template" }
  | { readonly kind: "suggestion"; readonly suggestionId: string; readonly suggestionCategory: string };

const Checked = t.type({
  description: Description,
  forwardTo: ForwardTo,
  spamFilter: t.boolean,
  customPrefix: t.union([CustomPrefix, t.null]),
});

const checkDraft = (draft: MaskDraft): E.Either<Failure, t.TypeOf<typeof Checked>> =>
  pipe(
    Checked.decode({
      ...draft,
      description: draft.description.trim(),
      customPrefix: draft.customPrefix.trim() || null,
    }),
    E.mapLeft((errors) => invalid(fieldErrorsOf(errors))),
  );

const premiumOnly: Failure = invalid([
  { field: "customPrefix", message: "Only the Premium plan can choose the prefix. Leave it empty." },
]);

/**
 * Builds the request body that creates a mask, or fails with field errors. Only some plans can choose the
 * prefix (AC5).
 */
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
    E.map(({ description, forwardTo, spamFilter, customPrefix }) => ({
      description,
      forwardTo,
      settings: { spamFilter },
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

/**
 * Builds the request body that changes a mask to match the draft, or fails with field errors. An unchanged
 * prefix is not sent.
 */
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
    E.map(({ description, forwardTo, spamFilter, customPrefix }) => ({
      description,
      forwardTo,
      settings: { spamFilter },
      ...(isSame(customPrefix) ? {} : { customPrefix }),
    })),
  );
};
