import { memo, type ReactNode, type RefObject } from "react";
import { toSearchText } from "../../../../core/kernel/searchText.ts";
import { isActive, type Mask, statisticsOf } from "../../../../core/masks/mask.ts";
import { lastMailAtOf, type MaskColumn, maskName } from "../../../../core/masks/maskListSettings.ts";
import { shortDate } from "../../../format/dates.ts";
import { shortAgo } from "../../../format/shortAgo.ts";
import { useAction } from "../../../react/useAction.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { AddressText } from "../../../ui/AddressText.tsx";
import { Badge } from "../../../ui/Badge.tsx";
import { CopyableText } from "../../../ui/CopyableText.tsx";
import { classes } from "../../../ui/classes.ts";
import { RowCheckbox } from "../../../ui/form/RowCheckbox.tsx";
import { Switch } from "../../../ui/form/Switch.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { CheckIcon } from "../../../ui/icons/CheckIcon.tsx";
import { CopyIcon } from "../../../ui/icons/CopyIcon.tsx";
import { LetterTile } from "../../../ui/LetterTile.tsx";
import styles from "../../../ui/layout/RowTable.module.css";
import { Count } from "../../../ui/Stat.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import { VisuallyHidden } from "../../../ui/VisuallyHidden.tsx";
import { MaskCodes } from "../../codes/MaskCodes.tsx";
import { expiryText } from "../expiryText.ts";
import type { OpenMaskDialog } from "../maskDialog.ts";
import { FigureButton } from "./FigureButton.tsx";
import { MaskMenuButton } from "./MaskMenuButton.tsx";
import { MaskTitle, RenameButton, useRenaming } from "./MaskTitle.tsx";

/** The colors of labels by their names as a search compares them. */
export type LabelColors = Readonly<Record<string, string>>;

interface CellProps {
  readonly mask: Mask;
  readonly isCopied: boolean;
  readonly isNarrow: boolean;
  readonly colors: LabelColors;
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
}

const AddressCell = ({ mask, isCopied, isNarrow }: CellProps) => {
  const { masks } = useSignedIn();
  const copy = useAction(masks.copyAddress);
  // The whole row leads to the mask's page, so that not the address but a sign beside it copies.
  if (isNarrow)
    return (
      <>
        <AddressText text={mask.maskEmail} />
        <IconButton
          label={`Copy ${mask.maskEmail}`}
          icon={isCopied ? <CheckIcon size={18} /> : <CopyIcon size={18} />}
          className={styles.copy}
          onPress={() => copy.run(mask.id)}
        />
        <span role="status">{isCopied && <VisuallyHidden>Copied</VisuallyHidden>}</span>
      </>
    );
  return (
    <CopyableText
      text={mask.maskEmail}
      onCopy={() => copy.run(mask.id)}
      isCopied={isCopied}
      size="small"
      isMuted
      oneLine="tight"
    />
  );
};

/** The first label; the others are counted, and named where one asks for them. */
const LabelsCell = ({ mask, colors }: CellProps) => {
  const [first, ...others] = mask.labels ?? [];
  if (first === undefined) return null;
  return (
    <span className={styles.tags} title={[first, ...others].join(", ")}>
      <Tag name={first} color={colors[toSearchText(first)]} />
      {others.length > 0 && (
        <span className={styles.more}>
          <span aria-hidden="true">+{others.length}</span>
          <VisuallyHidden>{others.join(", ")}</VisuallyHidden>
        </span>
      )}
    </span>
  );
};

const count = (figure: (mask: Mask) => number, opens?: "block" | "correspondents") => {
  const CountCell = ({ mask, onOpen, onIntent }: CellProps): ReactNode => {
    const value = figure(mask);
    if (opens !== undefined)
      return (
        <FigureButton
          mask={mask}
          opens={opens}
          count={value}
          className={classes(styles.press, value === 0 && styles.none)}
          onOpen={onOpen}
          onIntent={onIntent}
        />
      );
    return value === 0 ? <span className={styles.none}>0</span> : <Count count={value} />;
  };
  return CountCell;
};

const cells: Readonly<Record<MaskColumn, (props: CellProps) => ReactNode>> = {
  address: (props) => <AddressCell {...props} />,
  labels: (props) => <LabelsCell {...props} />,
  forwardTo: ({ mask }) => <AddressText text={mask.forwardTo} />,
  received: count((mask) => statisticsOf(mask).totalReceived),
  forwarded: count((mask) => statisticsOf(mask).totalForwarded),
  blocked: count((mask) => statisticsOf(mask).spamBlocked, "block"),
  replied: count((mask) => statisticsOf(mask).totalSent, "correspondents"),
  lastMail: ({ mask }) => {
    const at = lastMailAtOf(mask);
    if (at === 0) return <span className={styles.none}>–</span>;
    return <span title={shortDate(new Date(at).toISOString())}>{shortAgo(at, Date.now())}</span>;
  },
  created: ({ mask }) => shortDate(mask.created),
  expires: ({ mask }) => {
    const text = expiryText(mask.expiry, Date.now());
    return <span title={text}>{text}</span>;
  },
  note: ({ mask }) => <span title={mask.note}>{mask.note}</span>,
};

type ColumnKind = "text" | "figure" | "date";

/** The kinds of the columns' content, which decide the side at which they align. */
export const columnKinds: Readonly<Record<MaskColumn, ColumnKind>> = {
  address: "text",
  labels: "text",
  forwardTo: "text",
  received: "figure",
  forwarded: "figure",
  blocked: "figure",
  replied: "figure",
  lastMail: "date",
  created: "date",
  expires: "text",
  note: "text",
};

interface MaskRowProps extends CellProps {
  /** The place of the mask in the whole list, from 0. */
  readonly index: number;
  readonly columns: readonly MaskColumn[];
  readonly isSelected: boolean;
  readonly isPending: boolean;
  /** Is set to the row; given for the mask that was just created or revealed. */
  readonly rowRef: RefObject<HTMLElement | null> | undefined;
  readonly onToggle: (id: string, isRange: boolean) => void;
}

/** One mask as a row. It is drawn again only when something of its own mask has changed. */
export const MaskRow = memo((props: MaskRowProps) => {
  const { mask, index, isNarrow, columns, isSelected, isPending, rowRef, onToggle, onOpen, onIntent } = props;
  const { masks } = useSignedIn();
  const toggle = useAction(masks.setActive);
  const copy = useAction(masks.copyAddress);
  const pin = useAction(masks.setPinned);
  const renaming = useRenaming();
  const name = maskName(mask);
  const active = isActive(mask);
  return (
    <tr
      ref={(row) => {
        if (rowRef) rowRef.current = row;
      }}
      className={classes(styles.row, !active && styles.off)}
      data-row={mask.id}
      data-selected={isSelected || undefined}
      data-newest={rowRef && ""}
      // The head of the table is its first row.
      aria-rowindex={index + 2}
    >
      <td className={styles.mark}>
        <LetterTile name={name} isMuted={!active} />
        <RowCheckbox
          label={`Select ${name}`}
          id={mask.id}
          isChecked={isSelected}
          onToggle={(isRange) => onToggle(mask.id, isRange)}
        />
      </td>
      <th scope="row" className={styles.name}>
        <span className={styles.title} title={name}>
          <MaskTitle mask={mask} renaming={renaming} className={styles.link} pinSize={14} />
          {!isNarrow && !renaming.isOpen && (
            <RenameButton mask={mask} renaming={renaming} className={styles.quiet} />
          )}
          {mask.destinationStatus === "awaiting-confirmation" && (
            <Badge kind="warning">Awaiting confirmation</Badge>
          )}
          <MaskCodes mask={mask} isBrief />
        </span>
      </th>
      {columns.map((column) => (
        <td key={column} className={classes(styles[columnKinds[column]], styles[column])}>
          {cells[column](props)}
        </td>
      ))}
      <td className={styles.switch}>
        <Switch
          label={`${name} forwards mail`}
          isLabelHidden
          isOn={active}
          isPending={isPending}
          onChange={(on) => toggle.run(mask.id, on)}
        />
      </td>
      <td className={styles.menu}>
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
});
