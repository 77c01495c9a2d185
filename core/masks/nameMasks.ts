import type { Mask } from "./mask.ts";
import { maskName } from "./maskListSettings.ts";

/** Names the user's masks in a message by their descriptions; the address of a mask without one stays. */
export const nameMasks = (message: string, masks: readonly Mask[]): string =>
  message
    .split(" ")
    .map((word) => {
      if (!word.includes("@")) return word;
      const mask = masks.find(({ maskEmail }) => maskEmail === word || maskEmail === word.slice(0, -1));
      if (mask === undefined || maskName(mask) === mask.maskEmail) return word;
      return `“${maskName(mask)}”${word.slice(mask.maskEmail.length)}`;
    })
    .join(" ");
