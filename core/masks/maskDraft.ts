import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as t from "io-ts";
import { fieldErrorsOf } from "../contract/fieldErrors.ts";
import { type Failure, invalid } from "../kernel/failure.ts";
import { CustomPrefix, Description, ForwardTo, type Mask, type MaskEdit, type NewMask } from "./mask.ts";

/** A mask as it is typed into a form. An empty prefix is none. */
export interface MaskDraft {
  readonly description: string;
  readonly forwardTo: string;
  readonly spamFilter: boolean;
  readonly customPrefix: string;
}

/** Where a mask came from; a suggestion is remembered with it (MA10). */
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

const check = (draft: MaskDraft): E.Either<Failure, t.TypeOf<typeof Checked>> =>
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

/** The body that creates the mask. Only those who may can choose the prefix (AC5). */
export const newMaskOf = (
  draft: MaskDraft,
  origin: MaskOrigin,
  mayChoosePrefix: boolean,
): E.Either<Failure, NewMask> =>
  pipe(
    check(draft),
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

/** The body that makes the mask what the draft says. A prefix that was not touched is not sent. */
export const maskEditOf = (
  draft: MaskDraft,
  mask: Mask | undefined,
  mayChoosePrefix: boolean,
): E.Either<Failure, MaskEdit> => {
  const isSame = (prefix: string | null): boolean => prefix === (mask?.customPrefix || null);
  return pipe(
    check(draft),
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
