import type { Mask, MaskId } from "../masks/mask.ts";
import type { Rule } from "../rules/rule.ts";
import { readRules } from "../rules/ruleList.ts";

/** A mask as the selector shows it (RU1). */
export interface MaskChoice {
  readonly id: MaskId;
  readonly description: string;
  readonly maskEmail: string;
  readonly ruleCount: number;
}

/** A mask's rules as the server has told them, and its name for this version. */
export interface ToldRules {
  readonly etag: string | null;
  readonly rules: readonly Rule[];
}

const noRules: ToldRules = { etag: null, rules: [] };
const read = new WeakMap<Mask, ToldRules>();

/** The rules of a mask; one that cannot be read is left out. Reading the same mask twice costs nothing. */
export const toldRules = (mask: Mask | undefined): ToldRules => {
  if (!mask) return noRules;
  const known = read.get(mask) ?? {
    etag: mask.settings?.rulesVersion ?? null,
    rules: readRules(mask.settings?.rules ?? []).rules,
  };
  read.set(mask, known);
  return known;
};

/** A mask without a description goes by its address. */
export const choiceOf = (mask: Mask, ruleCount: number): MaskChoice => ({
  id: mask.id,
  description: mask.description ?? mask.maskEmail,
  maskEmail: mask.maskEmail,
  ruleCount,
});
