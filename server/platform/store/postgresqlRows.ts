import type { RowStatement, SqlValue } from "./engine.ts";

interface RowText {
  readonly text: string;
  readonly toParameters: (rows: readonly (readonly SqlValue[])[]) => readonly unknown[];
}

/** The values of a column as parameters, and how the column reads in the table of the rows. */
interface ColumnText {
  /** All values as an array; null for binary content. */
  readonly array: string | null;
  readonly parameters: readonly string[];
  /** Names of the columns that `unnest` makes of the arrays among them. */
  readonly unnested: readonly string[];
  readonly selected: string;
  readonly valuesOf: (values: readonly SqlValue[]) => readonly unknown[];
}

const arrayColumn = (name: string, type: string, first: number): ColumnText => ({
  array: `$${first}::${type}[]`,
  parameters: [`$${first}::${type}[]`],
  unnested: [name],
  selected: `each.${name}`,
  valuesOf: (values) => [values],
});

/**
 * An array is sent as text, in which binary content is twice as long and takes both sides long. So the contents of all
 * rows are one binary parameter, from which the database cuts each.
 */
const binaryColumn = (name: string, first: number): ColumnText => ({
  array: null,
  parameters: [`$${first + 1}::integer[]`, `$${first + 2}::integer[]`],
  unnested: [`${name}_start`, `${name}_length`],
  selected: `substring($${first}::bytea from each.${name}_start for each.${name}_length) as ${name}`,
  valuesOf: (values) => {
    let end = 1;
    const contents = values.map((value) => (value instanceof Uint8Array ? value : null));
    const starts = contents.map((content) => {
      const start = end;
      end += content?.length ?? 0;
      return start;
    });
    const all = Buffer.concat(contents.filter((content) => content !== null));
    return [all, starts, contents.map((content) => content?.length ?? null)];
  },
});

const textOf = (statement: RowStatement): RowText => {
  const columns: ColumnText[] = [];
  let first = 1;
  for (const [name, type] of Object.entries(statement.columns)) {
    columns.push(type === "bytea" ? binaryColumn(name, first) : arrayColumn(name, type, first));
    first += type === "bytea" ? 3 : 1;
  }
  const names = Object.keys(statement.columns);
  const arrays = columns.flatMap(({ parameters }) => parameters).join(", ");
  const unnested = columns.flatMap((column) => column.unnested).join(", ");
  const selected = columns.map((column) => column.selected).join(", ");
  return {
    text: statement.text(
      `(select ${selected} from unnest(${arrays}) as each (${unnested})) as given`,
      (column) => columns[names.indexOf(column)]?.array ?? null,
    ),
    toParameters: (rows) => columns.flatMap(({ valuesOf }, n) => valuesOf(rows.map((row) => row[n] ?? null))),
  };
};

const texts = new WeakMap<RowStatement, RowText>();

/** Returns the text of a statement for many rows, and the parameters that pass the rows to it. */
export const rowQuery = (
  statement: RowStatement,
  rows: readonly (readonly SqlValue[])[],
): { readonly text: string; readonly parameters: readonly unknown[] } => {
  const known = texts.get(statement) ?? textOf(statement);
  texts.set(statement, known);
  return { text: known.text, parameters: known.toParameters(rows) };
};
