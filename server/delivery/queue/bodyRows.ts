import type { Selectable } from "kysely";
import type { ContentPlace } from "../../platform/spool/segments.ts";
import type { RowStatement, SqlValue } from "../../platform/store/engine.ts";
import type { BodiesTable } from "./queueTables.ts";

/** The values of a row in the order of `insertParts`. */
export type BodyRow = readonly SqlValue[];

export const insertParts: RowStatement = {
  columns: {
    id: "text",
    part: "bigint",
    content: "bytea",
    file_key: "text",
    skip: "bigint",
    segment: "text",
    segment_start: "bigint",
    segment_length: "bigint",
  },
  text: (rows) =>
    `insert into bodies (id, part, content, file_key, skip, segment, segment_start, segment_length)
     select given.id, given.part, given.content, given.file_key, given.skip, given.segment, given.segment_start,
       given.segment_length
     from ${rows}`,
};

export const contentRow = (id: string, part: number, content: Uint8Array): BodyRow => [
  id,
  part,
  content,
  null,
  0,
  null,
  null,
  null,
];

/** The row of content under the id of its body elsewhere: a file of the spool, or an object. */
export const outsideRow = (id: string, key: string, skip: number): BodyRow => [
  id,
  0,
  null,
  key,
  skip,
  null,
  null,
  null,
];

/** The row of content that is in a segment. */
export const placedRow = (id: string, { segment, start, length, key }: ContentPlace): BodyRow => [
  id,
  0,
  null,
  key,
  0,
  segment,
  start,
  length,
];

/** A row without its content. */
export type StoredPart = Omit<Selectable<BodiesTable>, "id" | "content">;

export const partColumns = [
  "part",
  "skip",
  "file_key",
  "segment",
  "segment_start",
  "segment_length",
] as const;

/** Returns where the content of a row is; null when it is not in a segment. */
export const placeOf = ({
  segment,
  segment_start,
  segment_length,
  file_key,
}: StoredPart): ContentPlace | null =>
  segment === null
    ? null
    : {
        segment,
        start: Number(segment_start),
        length: Number(segment_length),
        key: file_key ?? "",
      };

/** True if the row has its content itself. */
export const hasContent = ({ file_key }: Pick<StoredPart, "file_key">): boolean => file_key === null;
