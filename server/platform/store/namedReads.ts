import { createHash } from "node:crypto";
import pg from "pg";
import type { SqlValue } from "./engine.ts";

/**
 * SQLSTATE of a name that the connection does not know or knows already, as behind a pooler that gives each transaction
 * another connection of the server, and of a statement whose tables have changed since it was prepared.
 */
const nameProblems = new Set(["26000", "42P05"]);
const changedTables = "0A000";

type Query = (text: string, values: readonly SqlValue[]) => Promise<readonly unknown[]>;

/**
 * Returns a function that runs reads as prepared statements; without names from the first time on that the database
 * does not keep them. A name follows from the text, so that processes behind one pooler mean the same by it.
 */
export const createNamedReads = (pool: Pick<pg.Pool, "query">, report: (line: string) => void): Query => {
  const names = new Map<string, string>();
  let isNamed = true;

  const nameOf = (text: string): string => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = `bauta_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
    names.set(text, name);
    return name;
  };
  const unnamed: Query = async (text, values) => (await pool.query({ text, values: [...values] })).rows;

  /** Goes on without names where the database does not keep them; throws an error that has nothing to do with names. */
  const dropNames = (error: unknown): void => {
    const code = error instanceof pg.DatabaseError ? (error.code ?? "") : "";
    if (code === changedTables) return;
    if (!nameProblems.has(code)) throw error;
    if (isNamed) report("the pooler before PostgreSQL keeps no prepared statements: reads run without");
    isNamed = false;
  };

  return async (text, values) => {
    if (!isNamed) return unnamed(text, values);
    try {
      return (await pool.query({ name: nameOf(text), text, values: [...values] })).rows;
    } catch (error) {
      dropNames(error);
      return unnamed(text, values);
    }
  };
};
