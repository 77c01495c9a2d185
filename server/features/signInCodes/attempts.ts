import { type RawBuilder, sql } from "kysely";
import { sameHash } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";

type CodeTable = "login_codes" | "address_changes";
type SecretTable = CodeTable | "second_factor_tickets";

/** An attempt at a secret. */
export interface Attempt {
  /** Selects the row of the secret. */
  readonly where: RawBuilder<unknown>;
  readonly now: number;
  readonly most: number;
}

/**
 * Counts one attempt and returns the row of the secret; undefined when there is none, it has expired, or `most`
 * attempts were made. Counting before comparing keeps parallel attempts within the limit.
 */
export const countAttempt = async <Row>(
  db: Db,
  table: SecretTable,
  { where, now, most }: Attempt,
): Promise<Row | undefined> => {
  const { rows } = await sql<Row>`
    update ${sql.table(table)} set tries = tries + 1
    where ${where} and expires_at > ${now} and tries < ${most}
    returning *`.execute(db);
  return rows[0];
};

/** True if an unexpired secret has had all its attempts, so that only a new one helps. */
export const hasNoAttemptsLeft = async (
  db: Db,
  table: SecretTable,
  { where, now, most }: Attempt,
): Promise<boolean> => {
  const { rows } = await sql`
    select tries from ${sql.table(table)} where ${where} and expires_at > ${now} and tries >= ${most}`.execute(
    db,
  );
  return rows.length > 0;
};

/** Counts one attempt at a code and returns its row; undefined when the code is wrong or has no attempts left. */
export const tryCode = async <Row extends { readonly code_hash: string }>(
  db: Db,
  table: CodeTable,
  triedHash: string,
  attempt: Attempt,
): Promise<Row | undefined> => {
  const row = await countAttempt<Row>(db, table, attempt);
  return row && sameHash(triedHash, row.code_hash) ? row : undefined;
};
