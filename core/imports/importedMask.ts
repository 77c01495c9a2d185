import { longestDescription } from "../masks/mask.ts";
/** A mask as another list had it. Its old address cannot come along: what is made of it gets a new one. */
export interface ImportedMask {
  /** The address it had; empty when the list does not tell. */
  readonly address: string;
  readonly description: string;
  /** Where its mail went; null where the list does not tell, and then it goes to the account's own address. */
  readonly forwardTo: string | null;
  readonly isActive: boolean;
}

/** One row of a list: a mask, or why it is none. `at` is the line of a CSV file, or the place in a JSON list. */
export type ImportRow =
  | { readonly at: number; readonly kind: "mask"; readonly mask: ImportedMask }
  | { readonly at: number; readonly kind: "problem"; readonly address: string; readonly sentence: string };

/** What serves as a description: the first of these that says anything, on one line, cut to what may be kept. */
export const descriptionFrom = (...candidates: readonly (string | undefined)[]): string => {
  const lines = candidates.map((text = "") => text.replace(/[\s\p{Cc}]+/gu, " ").trim());
  const [said = ""] = lines.filter((line) => line !== "");
  return said.length <= longestDescription
    ? said
    : `${said.slice(0, longestDescription - 1).replace(/\p{Surrogate}$/u, "")}…`;
};
