import type { Selectable } from "kysely";
import type { FieldError } from "../../../core/kernel/failure.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { CompilePattern } from "../../../core/ports/patterns.ts";
import { leavesOf } from "../../../core/rules/model/conditionGroup.ts";
import { mergeRules } from "../../../core/rules/model/mergeRules.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import { withIds } from "../../../core/rules/model/ruleId.ts";
import {
  AccountRuleList,
  isPattern,
  patternErrors,
  RuleList,
  readRules,
} from "../../../core/rules/model/ruleList.ts";
import { describeFieldErrors } from "../../platform/errors/fieldErrors.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import type { Tables } from "../../platform/store/tables.ts";
import { type DestinationAuthor, resolveDestination } from "../destinations/destination.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { findRuleVersion, type RuleVersion, saveRuleVersion, versionOfRules } from "./ruleVersions.ts";

/** The columns of a mask that saving its rules needs. */
export type MaskWithRules = Pick<Selectable<Tables["masks"]>, "id" | "user_id" | "rules">;

/** A stored list of rules, with its earlier versions. */
export interface StoredRuleList {
  /** The user who saves it. */
  readonly author: DestinationAuthor;
  /** JSON. */
  readonly rules: string;
  readonly kind: RuleListKind;
  /** Returns a version as stored; null when it is unknown or deleted. */
  readonly findVersion: (version: string) => Promise<string | null>;
  readonly saveVersion: (version: RuleVersion) => Promise<void>;
}

/** The limits of a list, and the field that errors name. */
export interface RuleListKind {
  readonly codec: typeof RuleList;
  readonly field: string;
}

const rulesOfMask: RuleListKind = { codec: RuleList, field: "settings.rules" };

/** The lists for all masks. */
export const rulesOfAllMasks: RuleListKind = { codec: AccountRuleList, field: "rules" };

const invalidRules = (errors: readonly FieldError[]): UseCaseError =>
  new UseCaseError("invalid", errors[0]?.message ?? "These rules cannot be used.", { errors });

const under =
  (field: string) =>
  (error: FieldError): FieldError => ({
    field: error.field === "" ? field : `${field}.${error.field}`,
    message: error.message,
  });

const decodeRules = ({ codec, field }: RuleListKind, list: unknown): readonly Rule[] => {
  const decoded = codec.decode(list);
  if (decoded._tag === "Right") return decoded.right;
  throw invalidRules(describeFieldErrors(decoded.left).map(under(field)));
};

/** Decodes the received rules and compiles their regular expressions; throws a 400 with the invalid fields. */
export const parseRules = async (
  { clock, random, patterns }: Pick<MaskDeps, "clock" | "random" | "patterns">,
  list: readonly unknown[],
  kind: RuleListKind = rulesOfMask,
): Promise<readonly Rule[]> => {
  const rules = decodeRules(kind, withIds(list, clock.now(), random.fraction));
  if (!rules.some(({ conditions }) => leavesOf(conditions).some(isPattern))) return rules;
  const compile: CompilePattern = await patterns();
  const errors = patternErrors(rules, compile).map(under(kind.field));
  if (errors.length > 0) throw invalidRules(errors);
  return rules;
};

/** Reads a list of rules as it is stored. */
export const parseStoredRules = (text: string): readonly Rule[] =>
  readRules(JSON.parse(text) as unknown[]).rules;

const mergeWithBase = async (
  list: StoredRuleList,
  rules: readonly Rule[],
  baseVersion: string | null,
): Promise<readonly Rule[]> => {
  if (baseVersion === null || baseVersion === versionOfRules(list.rules)) return rules;
  const base = await list.findVersion(baseVersion);
  return decodeRules(
    list.kind,
    mergeRules(base === null ? [] : parseStoredRules(base), rules, parseStoredRules(list.rules)),
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
  { author, rules }: StoredRuleList,
  saved: readonly Rule[],
): Promise<void> => {
  const stored = parseStoredRules(rules);
  const known = new Set(stored.map((rule) => JSON.stringify(rule)));
  const changed = saved.filter((rule) => !known.has(JSON.stringify(rule)));
  const before = new Set([...forwardAddresses(stored)].map(mailboxKey));
  for (const forwardTo of forwardAddresses(changed))
    await resolveDestination(db, deps, author, { forwardTo, before });
};

/** The list as a device wants it, and the version that it was edited from; null replaces what is stored. */
export interface RuleListEdit {
  readonly rules: readonly Rule[];
  readonly baseVersion: string | null;
}

/**
 * Merges the received rules with those saved since version `baseVersion` (D43) and returns the JSON to store,
 * in a transaction that has locked the list. With an unknown base nothing counts as deleted.
 */
export const mergeIntoList = async (
  db: Db,
  deps: MaskDeps,
  list: StoredRuleList,
  { rules, baseVersion }: RuleListEdit,
): Promise<string> => {
  const now = deps.clock.now();
  const result = await mergeWithBase(list, rules, baseVersion);
  await confirmDestinations(db, deps, list, result);
  const text = JSON.stringify(result);
  await list.saveVersion({ version: versionOfRules(list.rules), rules: list.rules, now: now - 1 });
  await list.saveVersion({ version: versionOfRules(text), rules: text, now });
  return text;
};

/** Merges the received rules into those of a mask as `mergeIntoList` does. */
export const mergeRulesIntoMask = (
  db: Db,
  deps: MaskDeps,
  author: DestinationAuthor,
  { id, rules }: MaskWithRules,
  edit: RuleListEdit,
): Promise<string> =>
  mergeIntoList(
    db,
    deps,
    {
      author,
      rules,
      kind: rulesOfMask,
      findVersion: (version) => findRuleVersion(db, id, version),
      saveVersion: (version) => saveRuleVersion(db, id, version),
    },
    edit,
  );
