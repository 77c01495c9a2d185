import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { createBulk } from "../../../../core/bulk/bulk.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import type { MaskColumn, MaskListSettings, MaskSort } from "../../../../core/masks/maskListSettings.ts";
import { createChunk } from "../../../loading/chunk.ts";
import { useChunk } from "../../../loading/Lazy.tsx";
import { useApp, useFeature, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { classes } from "../../../ui/classes.ts";
import { ChevronDownIcon } from "../../../ui/icons/ChevronDownIcon.tsx";
import styles from "../../../ui/layout/RowTable.module.css";
import { useWindowedRows } from "../../../ui/layout/useWindowedRows.ts";
import { VisuallyHidden } from "../../../ui/VisuallyHidden.tsx";
import type { OpenMaskDialog } from "../maskDialog.ts";
import { columnKinds, type LabelColors, MaskRow } from "./MaskRow.tsx";
import { columnNames, columnsInOrder, columnWidths, fittingColumns, tableRoom } from "./maskColumns.ts";
import { rowOf, useRowKeys } from "./useRowKeys.ts";

const selectionChunk = createChunk(
  () => import("./MaskSelection.tsx"),
  (module) => module.MaskSelection,
);

const selectionFailedText =
  "What can be done with selected masks could not be loaded. Check your connection, then try again.";

/** A phone has room for the name and the address. */
const narrowColumns: readonly MaskColumn[] = ["address"];

const noColors: LabelColors = {};

/** The order that the head of a column stands for; the other columns cannot be sorted by. */
const sorts: Partial<Readonly<Record<MaskColumn | "name", MaskSort>>> = {
  name: "name",
  received: "mostMail",
  forwarded: "mostForwarded",
  blocked: "mostBlocked",
  lastMail: "lastMail",
  created: "newest",
};

const directionOf = (sort: MaskSort, settings: MaskListSettings): "ascending" | "descending" | "none" => {
  if (settings.sort !== sort) return "none";
  return (sort === "name") === (settings.isReversed === true) ? "descending" : "ascending";
};

interface HeadProps {
  readonly column: MaskColumn | "name";
  readonly label: string;
}

/** The head of a column; a press sorts by it, a second one the other way round. */
const ColumnHead = ({ column, label }: HeadProps) => {
  const { masks } = useSignedIn();
  const settings = useObservable(masks.settings$);
  const sort = sorts[column];
  const kind = column === "name" ? "text" : columnKinds[column];
  const className = classes(styles.head, styles[kind], styles[column]);
  if (sort === undefined)
    return (
      <th scope="col" className={className}>
        {label}
      </th>
    );
  const isSorted = settings.sort === sort;
  const press = (): void =>
    masks.changeSettings(isSorted ? { isReversed: settings.isReversed !== true } : { sort });
  return (
    <th scope="col" className={className} aria-sort={directionOf(sort, settings)}>
      <button type="button" className={styles.press} onClick={press}>
        {label}
        <ChevronDownIcon size={14} />
      </button>
    </th>
  );
};

interface TableHeadProps {
  readonly columns: readonly MaskColumn[];
  readonly isNarrow: boolean;
}

/** The names of the columns, which are only heard on a narrow screen. */
const TableHead = ({ columns, isNarrow }: TableHeadProps) => (
  <thead className={isNarrow ? "visually-hidden" : styles.heads}>
    <tr>
      <th scope="col" className={styles.mark}>
        <VisuallyHidden>Selected</VisuallyHidden>
      </th>
      <ColumnHead column="name" label="Description" />
      {columns.map((column) => (
        <ColumnHead key={column} column={column} label={columnNames[column]} />
      ))}
      <th scope="col" className={styles.switch}>
        <VisuallyHidden>On or off</VisuallyHidden>
      </th>
      <th scope="col" className={styles.menu}>
        <VisuallyHidden>Options</VisuallyHidden>
      </th>
    </tr>
  </thead>
);

/** The widths of the columns; a name and an address share what the others leave. */
const ColumnWidths = ({ columns }: { readonly columns: readonly MaskColumn[] }) => (
  <colgroup>
    {(["mark", "name", ...columns, "switch", "menu"] as const).map((column) => (
      <col
        key={column}
        style={
          column === "name" || column === "address" ? undefined : { width: `${columnWidths[column]}rem` }
        }
      />
    ))}
  </colgroup>
);

/** Returns how many rem the table has, also when the window changes. */
const useTableRoom = (): number => {
  const [room, setRoom] = useState(tableRoom);
  useEffect(() => {
    const measure = (): void => setRoom(tableRoom());
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, []);
  return room;
};

/** True if the mail of all masks goes to one address, which is then worth no column. */
const haveOneDestination = (masks: readonly Mask[]): boolean =>
  masks.every(
    ({ forwardTo, destinations = [] }) => forwardTo === masks[0]?.forwardTo && destinations.length < 2,
  );

/** The space of rows that are not drawn. */
const Gap = ({
  rows,
  rowHeight,
  columns,
}: {
  readonly rows: number;
  readonly rowHeight: number;
  readonly columns: number;
}) =>
  rows > 0 && (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row that nobody can focus
    <tr aria-hidden="true" className={styles.gap}>
      <td colSpan={columns} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  );

/** Returns which rows are drawn: those near the screen, and those of some masks wherever they are. */
const drawnIndexes = (
  { from, to }: { readonly from: number; readonly to: number },
  ids: readonly (string | null)[],
  found: readonly Mask[],
): readonly number[] => {
  const drawn = new Set<number>();
  for (let at = from; at < to; at += 1) drawn.add(at);
  for (const id of ids) {
    const at = id === null ? -1 : found.findIndex((one) => one.id === id);
    if (at >= 0) drawn.add(at);
  }
  return [...drawn].sort((one, other) => one - other);
};

interface MaskTableProps {
  /** True while masks are being selected, so that the bar stays also without a selected one. */
  readonly isSelecting: boolean;
  readonly onSelected: () => void;
  readonly newest: string | null;
  /** Is set to the row of the mask that was just created or revealed. */
  readonly newestCard: RefObject<HTMLElement | null>;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
}

/**
 * Shows all found masks as rows with the chosen columns. Only the rows near the screen are drawn. Rows are selected by
 * their checkboxes, Shift and a press or an arrow key, Space, or Ctrl A; what can be done with them then appears.
 */
export const MaskTable = ({
  isSelecting,
  onSelected,
  newest,
  newestCard,
  onOpen,
  onIntent,
}: MaskTableProps) => {
  const { page, toasts } = useApp();
  const { masks, account } = useSignedIn();
  const bulk = useFeature(createBulk);
  const isNarrow = useObservable(page.narrow$);
  const { all } = useObservable(masks.view$);
  const { found } = useObservable(masks.page$);
  const copied = useObservable(masks.copied$);
  const pending = useObservable(masks.pendingIds$);
  const settings = useObservable(masks.settings$);
  const { selected, progress, failures } = useObservable(bulk.view$);
  const colors = useObservable(account.account$)?.settings?.labelColors ?? noColors;
  /** The mask whose row had the focus last: it stays drawn. */
  const [active, setActive] = useState<string | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  useEffect(() => () => bulk.select([]), [bulk]);
  const room = useTableRoom();
  const isOneDestination = useMemo(() => haveOneDestination(all), [all]);
  /** The same list while nothing changes, or every row is drawn again. */
  const columns = useMemo(() => {
    if (isNarrow) return narrowColumns;
    const chosen = columnsInOrder.filter(
      (one) => settings.columns.includes(one) && !(one === "forwardTo" && isOneDestination),
    );
    return fittingColumns(chosen, room);
  }, [isNarrow, settings.columns, isOneDestination, room]);
  const { from, to, rowHeight } = useWindowedRows(found.length, body);

  const indexes = drawnIndexes({ from, to }, [active, newest], found);
  const { handleKey, handleClick } = useRowKeys({
    body,
    bulk,
    found,
    selected,
    isSelecting,
    onSelected,
    setActive,
    onOpen,
  });
  const toggle = useCallback((id: string, isRange: boolean) => bulk.toggle(id, isRange), [bulk]);

  const hasSelection = isSelecting || selected.size > 0 || progress !== null || failures.length > 0;
  const { part: MaskSelection, isFailed, retry } = useChunk(selectionChunk, hasSelection);
  useEffect(() => {
    if (isFailed) toasts.show("error", selectionFailedText, { label: "Try Again", run: retry });
  }, [isFailed, toasts, retry]);

  const gap = { rowHeight, columns: columns.length + 4 };
  /** One flat list: in a list of lists React finds rows by their place on the screen, and a scroll makes all anew. */
  const drawnRows = indexes.flatMap((index, at) => {
    const mask = found[index];
    const skipped = index - (indexes[at - 1] ?? -1) - 1;
    if (mask === undefined) return [];
    return [
      // biome-ignore lint/suspicious/noArrayIndexKey: the space at a place is the same whichever rows it stands for
      ...(skipped > 0 ? [<Gap key={`gap ${at}`} {...gap} rows={skipped} />] : []),
      <MaskRow
        key={mask.id}
        mask={mask}
        index={index}
        columns={columns}
        colors={colors}
        isSelected={selected.has(mask.id)}
        isCopied={copied === mask.id}
        isNarrow={isNarrow}
        isPending={pending.has(mask.id)}
        rowRef={mask.id === newest ? newestCard : undefined}
        onToggle={toggle}
        onOpen={onOpen}
        onIntent={onIntent}
      />,
    ];
  });

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: adds keys to the links and checkboxes inside, which work without them */}
      <div
        className={classes(styles.surface, (isSelecting || selected.size > 0) && styles.selecting)}
        onKeyDown={handleKey}
        // A press with Shift would mark the text between.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onClickCapture={handleClick}
        onPointerEnter={selectionChunk.prefetch}
        onFocus={(event) => {
          selectionChunk.prefetch();
          setActive(rowOf(event)?.dataset["row"] ?? null);
        }}
      >
        <table className={styles.table} aria-label="Email masks" aria-rowcount={found.length + 1}>
          {!isNarrow && <ColumnWidths columns={columns} />}
          <TableHead columns={columns} isNarrow={isNarrow} />
          <tbody ref={body}>
            {drawnRows}
            <Gap key="after" {...gap} rows={found.length - 1 - (indexes.at(-1) ?? -1)} />
          </tbody>
        </table>
      </div>
      {hasSelection && MaskSelection && (
        <MaskSelection bulk={bulk} found={found} isSelecting={isSelecting} onDone={onSelected} />
      )}
    </>
  );
};
