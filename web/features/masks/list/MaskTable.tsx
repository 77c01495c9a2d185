import { Fragment, type ReactNode, type RefObject } from "react";
import { toSearchText } from "../../../../core/kernel/searchText.ts";
import { isActive, type Mask, shownAddress, statisticsOf } from "../../../../core/masks/mask.ts";
import { lastMailAtOf, type MaskColumn, maskName } from "../../../../core/masks/maskListSettings.ts";
import { shortDate } from "../../../format/dates.ts";
import { useAction } from "../../../react/useAction.ts";
import { useApp, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { CopyableText } from "../../../ui/CopyableText.tsx";
import { Switch } from "../../../ui/form/Switch.tsx";
import { VisuallyHidden } from "../../../ui/VisuallyHidden.tsx";
import { labelEdge } from "../../labels/labelEdge.ts";
import { expiryText } from "../expiryText.ts";
import type { OpenMaskDialog } from "../maskDialog.ts";
import { columnNames, columnsInOrder } from "./ListSettingsPanel.tsx";
import card from "./MaskCard.module.css";
import { lastMail } from "./MaskCard.tsx";
import { MaskMenuButton } from "./MaskMenuButton.tsx";
import styles from "./MaskTable.module.css";
import { MaskTitle, useRenaming } from "./MaskTitle.tsx";

interface CellProps {
  readonly mask: Mask;
  readonly isNarrow: boolean;
}

const AddressCell = ({ mask, isNarrow }: CellProps) => {
  const { masks } = useSignedIn();
  const copied = useObservable(masks.copied$);
  const copy = useAction(masks.copyAddress);
  return (
    <CopyableText
      text={mask.maskEmail}
      shown={shownAddress(mask, isNarrow)}
      onCopy={() => copy.run(mask.id)}
      isCopied={copied === mask.id}
      size="small"
      isMuted
    />
  );
};

/** Labels with their colors; the cards have them as buttons, of which a hundred rows would have too many. */
const LabelsCell = ({ labels }: { readonly labels: readonly string[] }) => {
  const { account } = useSignedIn();
  const colors = useObservable(account.account$)?.settings?.labelColors;
  return (
    <span title={labels.join(", ")}>
      {labels.map((label, at) => (
        <Fragment key={label}>
          {at > 0 && ", "}
          <span style={labelEdge(colors?.[toSearchText(label)])}>{label}</span>
        </Fragment>
      ))}
    </span>
  );
};

const cells: Readonly<Record<MaskColumn, (props: CellProps) => ReactNode>> = {
  address: (props) => <AddressCell {...props} />,
  labels: ({ mask }) => <LabelsCell labels={mask.labels ?? []} />,
  forwardTo: ({ mask }) => mask.forwardTo,
  lastMail: ({ mask }) => {
    const at = lastMailAtOf(mask);
    return at === 0 ? "–" : <span title={shortDate(new Date(at).toISOString())}>{lastMail(at)}</span>;
  },
  received: ({ mask }) => statisticsOf(mask).totalReceived,
  blocked: ({ mask }) => statisticsOf(mask).spamBlocked,
  created: ({ mask }) => shortDate(mask.created),
  forwarded: ({ mask }) => statisticsOf(mask).totalForwarded,
  replied: ({ mask }) => statisticsOf(mask).totalSent,
  expires: ({ mask }) => {
    const text = expiryText(mask.expiry, Date.now());
    return <span title={text}>{text}</span>;
  },
  note: ({ mask }) => <span title={mask.note}>{mask.note}</span>,
};

const Cell = ({ column, ...props }: CellProps & { readonly column: MaskColumn }) => (
  <td>{cells[column](props)}</td>
);

/** A phone has room for the name and the address. */
const narrowColumns: readonly MaskColumn[] = ["address"];

/** Which masks are selected; a table without it has no checkboxes. */
interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly toggle: (id: string, isRange: boolean) => void;
}

const SelectionCell = ({ mask, selection }: { readonly mask: Mask; readonly selection: Selection }) => (
  <td>
    <input
      type="checkbox"
      aria-label={`Select ${maskName(mask)}`}
      data-select={mask.id}
      checked={selection.selected.has(mask.id)}
      // The event of a change does not say whether Shift was held.
      onClick={(event) => selection.toggle(mask.id, event.shiftKey)}
      onChange={() => undefined}
    />
  </td>
);

interface MaskRowProps {
  readonly mask: Mask;
  readonly selection?: Selection | undefined;
  readonly columns: readonly MaskColumn[];
  readonly isNarrow: boolean;
  readonly rowRef: RefObject<HTMLElement | null> | undefined;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
}

const MaskRow = ({ mask, selection, columns, isNarrow, rowRef, onOpen, onIntent }: MaskRowProps) => {
  const { masks } = useSignedIn();
  const pending = useObservable(masks.pendingIds$);
  const toggle = useAction(masks.setActive);
  const copy = useAction(masks.copyAddress);
  const pin = useAction(masks.setPinned);
  const renaming = useRenaming();
  const name = maskName(mask);
  return (
    <tr
      ref={(row) => {
        if (rowRef) rowRef.current = row;
      }}
      data-newest={rowRef && ""}
    >
      {selection && <SelectionCell mask={mask} selection={selection} />}
      <th scope="row" title={name}>
        <MaskTitle mask={mask} renaming={renaming} pinClassName={card.pin} pinSize={14} />
        {mask.destinationStatus === "awaiting-confirmation" && " · Awaiting confirmation"}
      </th>
      {columns.map((column) => (
        <Cell key={column} column={column} mask={mask} isNarrow={isNarrow} />
      ))}
      <td>
        <Switch
          label={`${name} forwards mail`}
          isLabelHidden
          isOn={isActive(mask)}
          isPending={pending.has(mask.id)}
          onChange={(on) => toggle.run(mask.id, on)}
        />
      </td>
      <td>
        <MaskMenuButton
          mask={mask}
          size="small"
          onOpen={onOpen}
          onIntent={onIntent}
          onCopy={() => copy.run(mask.id)}
          onPin={() => pin.run(mask.id, !mask.pinned)}
          onRename={() => renaming.open()}
        />
      </td>
    </tr>
  );
};

interface MaskTableProps extends Pick<MaskRowProps, "selection" | "onOpen" | "onIntent"> {
  readonly items: readonly Mask[];
  readonly newest: string | null;
  /** Is set to the row of the mask that was just created or revealed. */
  readonly newestCard: RefObject<HTMLElement | null>;
}

/** Shows masks as the rows of a table, with the chosen columns; twenty fit on the screen of a laptop. */
export const MaskTable = ({ items, newest, newestCard, ...rows }: MaskTableProps) => {
  const { page } = useApp();
  const { masks } = useSignedIn();
  const isNarrow = useObservable(page.narrow$);
  const settings = useObservable(masks.settings$);
  const columns = isNarrow ? narrowColumns : columnsInOrder.filter((one) => settings.columns.includes(one));
  return (
    <table className={styles.table} aria-label="Email masks">
      <thead>
        <tr>
          {rows.selection && (
            <th scope="col">
              <VisuallyHidden>Selected</VisuallyHidden>
            </th>
          )}
          <th scope="col">Description</th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {columnNames[column]}
            </th>
          ))}
          <th scope="col">
            <VisuallyHidden>On or off</VisuallyHidden>
          </th>
          <th scope="col">
            <VisuallyHidden>Options</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((mask) => (
          <MaskRow
            key={mask.id}
            mask={mask}
            columns={columns}
            isNarrow={isNarrow}
            rowRef={mask.id === newest ? newestCard : undefined}
            {...rows}
          />
        ))}
      </tbody>
    </table>
  );
};
