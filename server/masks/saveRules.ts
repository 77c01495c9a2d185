import type { Selectable } from "kysely";
import type { FieldError } from "../../core/kernel/failure.ts";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import { mergeRules } from "../../core/rules/mergeRules.ts";
import type { Rule } from "../../core/rules/rule.ts";
import { withIds } from "../../core/rules/ruleId.ts";
import { isPattern, patternErrors, RuleList, readRules } from "../../core/rules/ruleList.ts";
import { fieldProblemsOf } from "../http/fieldProblems.ts";
import { Refusal } from "../http/refusal.ts";
import type { Db } from "../store/database.ts";
import type { MasksTable } from "../store/maskTables.ts";
import { keepRuleVersion, ruleVersion } from "../store/ruleVersions.ts";
import { destinationFor } from "./destination.ts";
import type { MaskParts } from "./maskParts.ts";
import { rulesVersion } from "./rulesVersion.ts";

/** A mask's row, as far as its rules go. */
export type RuledMask = Pick<Selectable<MasksTable>, "id" | "user_id" | "rules">;

const field = "settings.rules";

const refused = (errors: readonly FieldError[]): Refusal =>
  new Refusal(400, errors[0]?.message ?? "These rules cannot be used.", { errors });

const named = (error: FieldError): FieldError => ({
  field: error.field === "" ? field : `${field}.${error.field}`,
  message: error.message,
});

const checked = (list: unknown): readonly Rule[] => {
  const decoded = RuleList.decode(list);
  if (decoded._tag === "Right") return decoded.right;
  throw refused(fieldProblemsOf(decoded.left).map(named));
};

/** Decodes what was sent and compiles its expressions; throws the 400 that says what cannot be used. */
export const readSentRules = async (
  { clock, random, patterns }: Pick<MaskParts, "clock" | "random" | "patterns">,
  list: readonly unknown[],
): Promise<readonly Rule[]> => {
  const rules = checked(withIds(list, clock.now(), random.fraction));
  if (!rules.some(({ conditions }) => conditions.some(isPattern))) return rules;
  const compile: CompilePattern = await patterns();
  const errors = patternErrors(rules, compile).map(named);
  if (errors.length > 0) throw refused(errors);
  return rules;
};

const stored = (text: string): readonly Rule[] => readRules(JSON.parse(text) as unknown[]).rules;

const merged = async (
  db: Db,
  mask: RuledMask,
  rules: readonly Rule[],
  from: string | null,
): Promise<readonly Rule[]> => {
  if (from === null || from === rulesVersion(mask.rules)) return rules;
  const base = await ruleVersion(db, mask.id, from);
  return checked(mergeRules(base === null ? [] : stored(base), rules, stored(mask.rules)));
};

const forwardsIn = (rules: readonly Rule[]): ReadonlySet<string> =>
  new Set(
    rules.flatMap(({ actions }) =>
      actions.flatMap((action) => (action.type === "forward" ? [action.params.email] : [])),
    ),
  );

/**
 * Addresses that new or edited rules name are asked whether they want the mail (D33), and asked again no more often
 * than is decent. Rules that stay as they are ask nobody.
 */
const askDestinations = async (
  db: Db,
  parts: MaskParts,
  { user_id, rules }: RuledMask,
  wanted: readonly Rule[],
): Promise<void> => {
  const before = new Set(stored(rules).map((rule) => JSON.stringify(rule)));
  const changed = wanted.filter((rule) => !before.has(JSON.stringify(rule)));
  for (const email of forwardsIn(changed)) await destinationFor(db, parts, user_id, email);
};

/**
 * Puts a mask's rules together with what was saved meanwhile (D43) and answers them as they are stored. To be called
 * in a transaction that holds the mask's row. A version nobody knows any more is merged as if both lists were new:
 * then nothing counts as deleted.
 */
export const mergeIntoMask = async (
  db: Db,
  parts: MaskParts,
  mask: RuledMask,
  { rules, from }: { readonly rules: readonly Rule[]; readonly from: string | null },
): Promise<string> => {
  const now = parts.clock.now();
  const result = await merged(db, mask, rules, from);
  await askDestinations(db, parts, mask, result);
  const text = JSON.stringify(result);
  const before = mask.rules;
  await keepRuleVersion(db, mask.id, { version: rulesVersion(before), rules: before, now: now - 1 });
  await keepRuleVersion(db, mask.id, { version: rulesVersion(text), rules: text, now });
  return text;
};
