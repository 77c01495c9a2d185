import type { WhenOff } from "../../../core/masks/mask.ts";
import type { LinkedAction } from "./actionLinks.ts";

const offTexts: Readonly<Record<WhenOff, string>> = {
  refuse: "New email to it is refused, and the sender is notified.",
  drop: "New email to it is accepted and deleted.",
  hold: "New email to it is held for you to decide.",
};

/** The texts of a link's pages. */
interface ActionTexts {
  readonly question: string;
  readonly consequence: string;
  readonly label: string;
  readonly done: string;
}

/** Returns what the pages of a link say, before and after it is used. */
export const textsOf = (action: LinkedAction, whenOff: WhenOff): ActionTexts => {
  switch (action) {
    case "switch-off":
      return {
        question: "Switch off this mask?",
        consequence: `${offTexts[whenOff]} The mask stays yours, and you can switch it on again at any time.`,
        label: "Switch off",
        done: "The mask is switched off",
      };
    case "switch-on":
      return {
        question: "Switch on this mask?",
        consequence: "New email to it is forwarded to you again.",
        label: "Switch on",
        done: "The mask is switched on",
      };
    case "block":
      return {
        question: "Block this sender?",
        consequence:
          "Email from this sender to this mask is refused from now on. Other senders and your other masks stay as they are.",
        label: "Block the sender",
        done: "The sender is blocked",
      };
    case "unblock":
      return {
        question: "Stop blocking this sender?",
        consequence: "Email from this sender to this mask is accepted again.",
        label: "Stop blocking",
        done: "The sender is no longer blocked",
      };
    case "allow":
      return {
        question: "Allow this sender again?",
        consequence: "Email from this sender to this mask is always accepted, as before.",
        label: "Allow the sender",
        done: "The sender is allowed again",
      };
  }
};

/** Returns the title of the page of an action. */
export const titleOf = (action: LinkedAction): string =>
  action === "switch-off" || action === "switch-on" ? "Mask" : "Sender";
