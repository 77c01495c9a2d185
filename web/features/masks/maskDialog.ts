import type { Problem } from "../../../core/api/errorMessages.ts";
import { isRefused } from "../../../core/kernel/failure.ts";
import type { Mask } from "../../../core/masks/mask.ts";
import type { ListDialogName } from "./listDialogs.ts";

/** A dialog of the masks tab and the mask it is about. */
export type MaskDialog =
  | {
      readonly [Kind in ListDialogName]: {
        readonly kind: Kind;
        /** What the form of a new mask proposes. */
        readonly name?: Kind extends "new" ? string | undefined : never;
        readonly site?: Kind extends "new" ? string | undefined : never;
      };
    }[ListDialogName]
  | { readonly kind: "edit"; readonly mask: Mask }
  | { readonly kind: "correspondents"; readonly mask: Mask }
  | { readonly kind: "block"; readonly mask: Mask }
  | { readonly kind: "destination"; readonly mask: Mask }
  | { readonly kind: "delete"; readonly mask: Mask };

/** The ids of the buttons below which the panels of the list open. */
export const viewButton = "list-view";
export const labelsButton = "list-labels";

export type OpenMaskDialog = (dialog: MaskDialog) => void;

/** Returns whether a change failed because the mask no longer exists. */
export const isMaskGone = ({ failure }: Problem): boolean => isRefused(failure, 404);
