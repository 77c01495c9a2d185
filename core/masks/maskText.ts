import type { Mask } from "./mask.ts";
import { maskName } from "./maskListSettings.ts";

/** A mask in texts: its name, with its address where that is another. */
export const maskText = (mask: Mask | undefined): string => {
  if (!mask) return "A deleted mask";
  const name = maskName(mask);
  return name === mask.maskEmail ? name : `${name} (${mask.maskEmail})`;
};
