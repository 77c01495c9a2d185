import type { UnsubscribeMode } from "../../../core/mail/unsubscribeMode.ts";
import type { SelectOption } from "../../ui/form/Select.tsx";

/** The effects of "Unsubscribe", as they are offered. */
export const unsubscribeOptions: readonly SelectOption<UnsubscribeMode>[] = [
  {
    value: "as-is",
    label: "Unchanged",
    description:
      "Your mail provider or browser opens the link of the list. By email it goes through the mask.",
  },
  {
    value: "through-mask",
    label: "Through the mask",
    description: "This server does it when you press it, and tells you the result.",
  },
  {
    value: "through-mask-and-switch-off",
    label: "Through the mask, then switch it off",
    description: "The mask is switched off afterwards: all its email stops, that of other senders too.",
  },
];
