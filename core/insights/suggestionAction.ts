/** What applying a suggestion opens or does. */
export type SuggestionDeed =
  | "createMask"
  | "createRule"
  | "switchOff"
  | "turnOnSpamProtection"
  | "setUpTwoFactor"
  | "setUpEncryption";

const own: readonly SuggestionDeed[] = [
  "switchOff",
  "turnOnSpamProtection",
  "setUpTwoFactor",
  "setUpEncryption",
];

/** The deed of an action by its name: with Mask the mask form, with Filter or Rule the rule editor (IN3); null: unknown. */
export const deedOf = (action: string): SuggestionDeed | null => {
  if (action.includes("Mask")) return "createMask";
  if (action.includes("Filter") || action.includes("Rule")) return "createRule";
  return own.find((deed) => deed === action) ?? null;
};
