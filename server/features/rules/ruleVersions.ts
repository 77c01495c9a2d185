import { createHash } from "node:crypto";
import type { Db } from "../../platform/store/database.ts";

const hashRules = (stored: string): string =>
  createHash("sha256").update(stored).digest("base64url").slice(0, 22);

const noRules = "[]";
const noRulesVersion = hashRules(noRules);

/** Returns the version of stored rules: a hash of their text, equal on every server. */
export const versionOfRules = (stored: string): string =>
  stored === noRules ? noRulesVersion : hashRules(stored);

/** Returns a version as an ETag (RFC 9110, 8.8.3). */
export const toEtag = (version: string): string => `"${version}"`;

/** A version that no rules have. */
const unknownVersion = "";

/**
 * Returns the version in an If-Match header (RFC 9110, 13.1.1); null when absent or "*". A malformed header
 * counts as an unknown version, so that it never overwrites changes of other devices.
 */
export const parseIfMatch = (ifMatch: string | undefined): string | null =>
  ifMatch === undefined || ifMatch.trim() === "*"
    ? null
    : (/^\s*(?:W\/)?"([\w-]{1,64})"\s*$/.exec(ifMatch)?.[1] ?? unknownVersion);

/** The number of earlier versions of a list that are kept, and so of saves that a device may have missed. */
export const maxVersions = 50;

/** A version of a list of rules. */
export interface RuleVersion {
  readonly version: string;
  /** JSON. */
  readonly rules: string;
  /** The time at which it was saved, in milliseconds since 1970. */
  readonly now: number;
}

/** Stores a version of a mask's rules, so that later edits based on it can be merged (D43). */
export const saveRuleVersion = async (
  db: Db,
  maskId: string,
  { version, rules, now }: RuleVersion,
): Promise<void> => {
  await db
    .insertInto("rule_versions")
    .values({ mask_id: maskId, version, rules, created_at: now })
    .onConflict((conflict) => conflict.columns(["mask_id", "version"]).doUpdateSet({ created_at: now }))
    .execute();
  await db
    .deleteFrom("rule_versions")
    .where("mask_id", "=", maskId)
    .where("version", "not in", (eb) =>
      eb
        .selectFrom("rule_versions")
        .where("mask_id", "=", maskId)
        .orderBy("created_at", "desc")
        .orderBy("version")
        .limit(maxVersions)
        .select("version"),
    )
    .execute();
};

/** Returns a version of a mask's rules as stored; null when it is unknown or deleted. */
export const findRuleVersion = async (db: Db, maskId: string, version: string): Promise<string | null> => {
  const row = await db
    .selectFrom("rule_versions")
    .where("mask_id", "=", maskId)
    .where("version", "=", version)
    .select("rules")
    .executeTakeFirst();
  return row?.rules ?? null;
};
