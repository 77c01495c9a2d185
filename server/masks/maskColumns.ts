import {
  givenFields,
  type MaskEdit,
  type MaskFieldName,
  maskFieldNames,
  maskFields,
  type NewMask,
  type PlainFields,
  plainFieldsOf,
} from "../../core/masks/mask.ts";
import type { MaskFieldColumns } from "../store/mailTables.ts";

const columnOf = (name: MaskFieldName): keyof MaskFieldColumns =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as keyof MaskFieldColumns;

const toColumns = (fields: Partial<PlainFields>): Partial<MaskFieldColumns> =>
  Object.fromEntries(
    maskFieldNames.flatMap((name) => {
      const value = fields[name];
      return value === undefined
        ? []
        : [[columnOf(name), typeof value === "boolean" ? Number(value) : value]];
    }),
  );

/** Returns the columns of the plain fields of a new mask. */
export const newColumns = (mask: NewMask): MaskFieldColumns =>
  toColumns(plainFieldsOf(mask)) as MaskFieldColumns;

/** Returns the columns of the plain fields that an edit changes. */
export const changedColumns = (edit: MaskEdit): Partial<MaskFieldColumns> => toColumns(givenFields(edit));

/** Returns the plain fields of a row. */
export const readColumns = (row: MaskFieldColumns): PlainFields =>
  Object.fromEntries(
    maskFieldNames.map((name) => {
      const value = row[columnOf(name)];
      return [name, typeof maskFields[name].initial === "boolean" ? value === 1 : value];
    }),
  ) as PlainFields;
