import {
  givenFields,
  type MaskEdit,
  type MaskFieldName,
  maskFieldNames,
  maskFields,
  type NewMask,
  type PlainFields,
  plainFieldsOf,
} from "../../../core/masks/mask.ts";
import type { MaskFieldColumns } from "./maskTables.ts";

const toColumnName = (name: MaskFieldName): keyof MaskFieldColumns =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as keyof MaskFieldColumns;

/** Each field with its column. */
const columns = maskFieldNames.map((name) => [name, toColumnName(name)] as const);

const toStored = (value: PlainFields[MaskFieldName]): string | number => {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" ? value : JSON.stringify(value);
};

type Read = (stored: string | number) => unknown;

const readerOf = (name: MaskFieldName): Read => {
  const { initial } = maskFields[name];
  if (typeof initial === "boolean") return (stored) => stored === 1;
  return typeof initial === "string" ? (stored) => stored : (stored) => JSON.parse(String(stored));
};

/** The readers of the fields from their columns. */
const readers = columns.map(([name, column]) => ({ name, column, read: readerOf(name) }));

const toColumns = (fields: Partial<PlainFields>): Partial<MaskFieldColumns> =>
  Object.fromEntries(
    columns.flatMap(([name, column]) => {
      const value = fields[name];
      return value === undefined ? [] : [[column, toStored(value)]];
    }),
  );

/** Returns the columns of the plain fields of a new mask. */
export const newColumns = (mask: NewMask): MaskFieldColumns =>
  toColumns(plainFieldsOf(mask)) as MaskFieldColumns;

/** Returns the columns of the plain fields that an edit changes. */
export const changedColumns = (edit: MaskEdit): Partial<MaskFieldColumns> => toColumns(givenFields(edit));

/** Returns the plain fields of a row. */
export const readColumns = (row: MaskFieldColumns): PlainFields => {
  const fields: Record<string, unknown> = {};
  for (const { name, column, read } of readers) fields[name] = read(row[column]);
  return fields as PlainFields;
};
