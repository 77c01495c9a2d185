import type { Mask } from "./mask.ts";
import { maskName } from "./maskListSettings.ts";

/** A mask in texts: its name, with its address where that is another. */
export const maskText = (mask: Mask | undefined): string => {
  const name = maskName(mask);
  return mask === undefined || name === mask.maskEmail ? name : `${name} (${mask.maskEmail})`;
};
