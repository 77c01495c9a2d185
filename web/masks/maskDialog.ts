import { isRefused } from "../../core/kernel/failure.ts";
import type { Mask } from "../../core/masks/mask.ts";
import type { Problem } from "../../core/sentences/problem.ts";

/** A window over the list of masks, and what it is about. */
export type MaskDialog =
  | { readonly kind: "create" }
  | { readonly kind: "edit"; readonly mask: Mask }
  | { readonly kind: "delete"; readonly mask: Mask };

export type OpenMaskDialog = (dialog: MaskDialog) => void;

/** What a mask is called when it is spoken of: its description, else its address. */
export const nameOf = (mask: Mask): string => mask.description?.trim() || mask.maskEmail;

/** Whether a change failed because the mask is no longer there. */
export const isGone = ({ failure }: Problem): boolean => isRefused(failure, 404);
