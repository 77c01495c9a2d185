import { DatabaseSync } from "node:sqlite";
import { mayChange } from "../../support/bystanderMarker.ts";
import { bystander } from "./bystander.ts";

const isText = (value: unknown): value is string => typeof value === "string";

const listTexts = (database: DatabaseSync, statement: string): readonly (readonly string[])[] =>
  database
    .prepare(statement)
    .all()
    .map((row) => Object.values(row).filter(isText));

/** The tables that belong to users, each with the condition for the bystander's rows. */
export type OwnedTables = ReadonlyMap<string, string>;

const inFile = <A>(file: string, work: (database: DatabaseSync) => A): A => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
};

/** Finds every table with a `user_id`, and every one whose rows reference these, however many tables lie between. */
export const findOwnedTables = (file: string): OwnedTables =>
  inFile(file, (database) => {
    const found = new Map([["users", `id = '${bystander.id}'`]]);
    const withUser = listTexts(
      database,
      `select t.name from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table' and c.name = 'user_id'`,
    );
    for (const [table = ""] of withUser) found.set(table, `user_id = '${bystander.id}'`);
    const references = listTexts(
      database,
      `select t.name, f."from", f."table", f."to" from sqlite_master t, pragma_foreign_key_list(t.name) f
        where t.type = 'table'`,
    );
    for (let before = 0; before < found.size; ) {
      before = found.size;
      for (const [table = "", from = "", other = "", to = ""] of references) {
        const condition = found.get(other);
        if (found.has(table) || condition === undefined) continue;
        found.set(table, `${from} in (select ${to} from ${other} where ${condition})`);
      }
    }
    return found;
  });

/** The rows of the bystander as text, by table. */
export type OwnedRows = ReadonlyMap<string, string>;

/** Throws when rows of the bystander have changed, have gone or have come. */
export const compareOwned = (before: OwnedRows, after: OwnedRows): void => {
  const changes = [...before].flatMap(([table, rows]) => {
    const now = after.get(table);
    return now === undefined || now === rows || mayChange(table)
      ? []
      : [`${table}\n  was ${rows}\n  is  ${now}`];
  });
  if (changes.length > 0) throw new Error(`Rows of the bystander have changed: ${changes.join("\n")}`);
};

/** Reads the rows of the bystander in a SQLite file, also while it is open. */
export const readOwnedRows = (file: string, tables: OwnedTables): OwnedRows =>
  inFile(file, (database) => {
    const read = ([table, condition]: readonly [string, string]): [string, string] => {
      const statement = database.prepare(`select * from ${table} where ${condition}`);
      statement.setReturnArrays(true);
      const rows = statement.all().map((row) => JSON.stringify(row));
      return [table, rows.toSorted().join("\n")];
    };
    const present = new Set(
      listTexts(database, "select name from sqlite_master where type = 'table'").map(([name]) => name),
    );
    // A test has made the store fail.
    if ([...tables.keys()].some((table) => !present.has(table))) return new Map();
    return new Map([...tables].map(read));
  });
