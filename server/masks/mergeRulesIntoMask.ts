import type { Selectable } from "kysely";
import type { FieldError } from "../../core/kernel/failure.ts";
import type { CompilePattern } from "../../core/ports/patterns.ts";
import { mergeRules } from "../../core/rules/model/mergeRules.ts";
import type { Rule } from "../../core/rules/model/rule.ts";
import { withIds } from "../../core/rules/model/ruleId.ts";
import { isPattern, patternErrors, RuleList, readRules } from "../../core/rules/model/ruleList.ts";
import { describeFieldErrors, HttpError } from "../http/httpError.ts";
import type { Db } from "../store/database.ts";
import type { MasksTable } from "../store/mailTables.ts";
import { resolveDestination } from "./destination.ts";
import type { MaskDeps } from "./maskDeps.ts";
import { findRuleVersion, saveRuleVersion, versionOfRules } from "./ruleVersions.ts";

/** The columns of a mask that saving its rules needs. */
export type MaskWithRules = Pick<Selectable<MasksTable>, "id" | "user_id" | "rules">;

const field = "settings.rules";

const invalidRules = (errors: readonly FieldError[]): HttpError =>
  new HttpError(400, errors[0]?.message ?? "These rules cannot be used.", { errors });

const underRules = (error: FieldError): FieldError => ({
  field: error.field === "" ? field : `${field}.${error.field}`,
  message: error.message,
});

const decodeRules = (list: unknown): readonly Rule[] => {
  const decoded = RuleList.decode(list);
  if (decoded._tag === "Right") return decoded.right;
  throw invalidRules(describeFieldErrors(decoded.left).map(underRules));
};

/** Decodes the received rules and compiles their regular expressions; throws a 400 with the invalid fields. */
export const parseRules = async (
  { clock, random, patterns }: Pick<MaskDeps, "clock" | "random" | "patterns">,
  list: readonly unknown[],
): Promise<readonly Rule[]> => {
  const rules = decodeRules(withIds(list, clock.now(), random.fraction));
  if (!rules.some(({ conditions }) => conditions.some(isPattern))) return rules;
  const compile: CompilePattern = await patterns();
  const errors = patternErrors(rules, compile).map(underRules);
  if (errors.length > 0) throw invalidRules(errors);
  return rules;
};

const parseStoredRules = (text: string): readonly Rule[] => readRules(JSON.parse(text) as unknown[]).rules;

const mergeWithBase = async (
  db: Db,
  mask: MaskWithRules,
  rules: readonly Rule[],
  baseVersion: string | null,
): Promise<readonly Rule[]> => {
  if (baseVersion === null || baseVersion === versionOfRules(mask.rules)) return rules;
  const base = await findRuleVersion(db, mask.id, baseVersion);
  return decodeRules(
    mergeRules(base === null ? [] : parseStoredRules(base), rules, parseStoredRules(mask.rules)),
  );
};

const forwardAddresses = (rules: readonly Rule[]): ReadonlySet<string> =>
  new Set(
    rules.flatMap(({ actions }) =>
      actions.flatMap((action) => (action.type === "forward" ? [action.params.email] : [])),
    ),
  );

/** Unchanged rules cause no confirmation mails (D33). */
const confirmDestinations = async (
  db: Db,
  deps: MaskDeps,
  { user_id, rules }: MaskWithRules,
  saved: readonly Rule[],
): Promise<void> => {
  const before = new Set(parseStoredRules(rules).map((rule) => JSON.stringify(rule)));
  const changed = saved.filter((rule) => !before.has(JSON.stringify(rule)));
  for (const email of forwardAddresses(changed)) await resolveDestination(db, deps, user_id, email);
};

/**
 * Merges the received rules with those saved since version `baseVersion` (D43) and returns the JSON to store,
 * in a transaction that has locked the mask. With an unknown base nothing counts as deleted.
 */
export const mergeRulesIntoMask = async (
  db: Db,
  deps: MaskDeps,
  mask: MaskWithRules,
  { rules, baseVersion }: { readonly rules: readonly Rule[]; readonly baseVersion: string | null },
): Promise<string> => {
  const now = deps.clock.now();
  const result = await mergeWithBase(db, mask, rules, baseVersion);
  await confirmDestinations(db, deps, mask, result);
  const text = JSON.stringify(result);
  const before = mask.rules;
  await saveRuleVersion(db, mask.id, { version: versionOfRules(before), rules: before, now: now - 1 });
  await saveRuleVersion(db, mask.id, { version: versionOfRules(text), rules: text, now });
  return text;
};
