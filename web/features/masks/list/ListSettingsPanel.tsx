import { useRef } from "react";
import { type MaskColumn, type MaskSort, pageSizes } from "../../../../core/masks/maskListSettings.ts";
import { useApp, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { Checkbox } from "../../../ui/form/Checkbox.tsx";
import { type Chip, ChipGroup } from "../../../ui/form/ChipGroup.tsx";
import styles from "../../../ui/layout/DialogBody.module.css";
import { Popover } from "../../../ui/overlay/Popover.tsx";
import { viewButton } from "../maskDialog.ts";
import { columnNames, columnsInOrder } from "./maskColumns.ts";

const sorts: readonly Chip<MaskSort>[] = [
  { value: "newest", label: "Newest" },
  { value: "name", label: "Name" },
  { value: "lastMail", label: "Last email" },
  { value: "mostMail", label: "Most email" },
  { value: "mostForwarded", label: "Most forwarded" },
  { value: "mostBlocked", label: "Most blocked" },
];

/** Chooses the order of the list, and its columns or the masks on a page; each choice takes effect at once, on all devices of the user. */
export const ListSettingsPanel = ({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) => {
  const { page } = useApp();
  const isNarrow = useObservable(page.narrow$);
  const trigger = useRef(document.getElementById(viewButton));
  const { masks } = useSignedIn();
  const { sort, layout, pageSize, columns } = useObservable(masks.settings$);
  const change = masks.changeSettings;
  const showColumn = (column: MaskColumn, isShown: boolean): void =>
    change({
      columns: columnsInOrder.filter((one) => (one === column ? isShown : columns.includes(one))),
    });
  return (
    <Popover
      isOpen={isOpen}
      onClose={onClose}
      title="Sort and view"
      trigger={trigger}
      isSheet={isNarrow || trigger.current === null}
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <div className={styles.stack}>
        <h3>Sort by</h3>
        <ChipGroup label="Sort by" chips={sorts} value={sort} onChange={(value) => change({ sort: value })} />
        {layout === "cards" && (
          <>
            <h3>Masks on a page</h3>
            <ChipGroup
              label="Masks on a page"
              chips={pageSizes.map((size) => ({ value: String(size), label: String(size) }))}
              value={String(pageSize.cards)}
              onChange={(value) => change({ pageSize: { cards: Number(value) } })}
            />
          </>
        )}
        {layout === "rows" && (
          <>
            <h3 id="mask-columns">Columns</h3>
            <fieldset aria-labelledby="mask-columns">
              {columnsInOrder.map((column) => (
                <Checkbox
                  key={column}
                  label={columnNames[column]}
                  isChecked={columns.includes(column)}
                  onChange={(isShown) => showColumn(column, isShown)}
                />
              ))}
            </fieldset>
          </>
        )}
      </div>
    </Popover>
  );
};
