import { harmlessCell, writeCsv } from "../../../core/kernel/csv.ts";
import type { ChartTable } from "../drawing.ts";

const recordsOf = ({ columns, rows }: ChartTable): readonly (readonly string[])[] => [
  columns,
  ...rows.map(({ name, cells }) => [name, ...cells.map(String)]),
];

/** The table as a CSV file. */
export const tableCsv = (table: ChartTable): string => writeCsv(recordsOf(table));

/** The table as it is pasted into a spreadsheet: cells between tabs, none of them a formula. */
export const tableText = (table: ChartTable): string =>
  recordsOf(table)
    .map((cells) => cells.map((cell) => harmlessCell(cell.replace(/[\t\r\n]+/g, " "))).join("\t"))
    .join("\n");
