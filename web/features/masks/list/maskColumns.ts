import type { MaskColumn } from "../../../../core/masks/maskListSettings.ts";

/** The names of the columns, in the order of the table. */
export const columnNames: Readonly<Record<MaskColumn, string>> = {
  address: "Address",
  labels: "Labels",
  forwardTo: "Forwards to",
  received: "Received",
  forwarded: "Forwarded",
  blocked: "Blocked",
  replied: "Replied",
  lastMail: "Last email",
  created: "Created",
  expires: "Expires",
  note: "Note",
};

export const columnsInOrder = Object.keys(columnNames) as readonly MaskColumn[];

/** The widths of the columns in rem, which suffice for their heads; names and addresses have at least these, and share what is left. */
export const columnWidths: Readonly<Record<MaskColumn | "mark" | "name" | "switch" | "menu", number>> = {
  mark: 2.75,
  name: 12,
  address: 12,
  labels: 7,
  forwardTo: 9,
  received: 5,
  forwarded: 5.25,
  blocked: 4.75,
  replied: 4.75,
  lastMail: 5,
  created: 6.75,
  expires: 8,
  note: 9,
  switch: 3.25,
  menu: 2.75,
};

/** The columns that leave where there is no room for all, the first one first; the address stays. */
const leaving: readonly MaskColumn[] = [
  "forwardTo",
  "labels",
  "lastMail",
  "note",
  "expires",
  "created",
  "replied",
  "blocked",
  "forwarded",
  "received",
];

const widthOf = (columns: readonly MaskColumn[]): number =>
  (["mark", "name", ...columns, "switch", "menu"] as const).reduce((sum, one) => sum + columnWidths[one], 0);

/** Returns the columns for which a table has room that is so many rem wide. */
export const fittingColumns = (columns: readonly MaskColumn[], room: number): readonly MaskColumn[] => {
  const first = leaving.find((one) => columns.includes(one));
  if (first === undefined || widthOf(columns) <= room) return columns;
  return fittingColumns(
    columns.filter((one) => one !== first),
    room,
  );
};

/** What the page leaves free beside a table, in rem. */
const margins = 3;

/** Returns how many rem a table of masks has in the window; without end where nothing is laid out. */
export const tableRoom = (): number => {
  const { documentElement: root } = document;
  if (root.clientWidth === 0) return Number.POSITIVE_INFINITY;
  const style = getComputedStyle(root);
  const rem = Number.parseFloat(style.fontSize) || 16;
  const most = Number.parseFloat(style.getPropertyValue("--table-width"));
  return Math.min(most, Math.floor(root.clientWidth / rem - margins));
};
