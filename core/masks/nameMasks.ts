import type { Mask } from "./mask.ts";
import { maskName } from "./maskListSettings.ts";

/** Names the user's masks in a message by their descriptions; the address of a mask without one stays. */
export const nameMasks = (message: string, masks: readonly Mask[]): string => {
  const names = new Map(
    masks
      .filter((mask) => maskName(mask) !== mask.maskEmail)
      .map((mask) => [mask.maskEmail, `“${maskName(mask)}”`]),
  );
  return message
    .split(" ")
    .map((word) => {
      const address = names.has(word) ? word : word.slice(0, -1);
      const name = names.get(address);
      return name === undefined ? word : name + word.slice(address.length);
    })
    .join(" ");
};
