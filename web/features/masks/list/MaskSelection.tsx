import { useEffect, useRef } from "react";
import { masksCsv } from "../../../../core/account/masksCsv.ts";
import type { Bulk, BulkView } from "../../../../core/bulk/bulk.ts";
import type { BulkChange } from "../../../../core/bulk/bulkChange.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { useOpening } from "../../../loading/useOpening.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { ProgressBar } from "../../../ui/feedback/ProgressBar.tsx";
import { saveFile } from "../../../ui/files.tsx";
import { ActionBar } from "../../../ui/layout/ActionBar.tsx";
import { Menu } from "../../../ui/overlay/Menu.tsx";
import { BulkDialog, type BulkQuestion } from "../../bulk/BulkDialog.tsx";
import styles from "../MasksTab.module.css";

/** The most failed masks that are listed by name. */
const maxListed = 20;

const Failures = ({ failures }: Pick<BulkView, "failures">) => {
  if (failures.length === 0) return null;
  const more = failures.length - maxListed;
  return (
    <Banner kind="warning">
      <p>These masks could not be changed:</p>
      <ul>
        {failures.slice(0, maxListed).map(({ id, name, message }) => (
          <li key={id}>
            {name}: {message}
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </Banner>
  );
};

interface ActionsProps {
  readonly bulk: Bulk;
  readonly selected: readonly Mask[];
  readonly isBusy: boolean;
  readonly onAsk: (question: BulkQuestion) => void;
}

/** The actions for the selected masks. */
const BulkActions = ({ bulk, selected, isBusy, onAsk }: ActionsProps) => {
  const { account } = useSignedIn();
  const exportSelected = (): void => {
    const colors = account.account$.value?.settings?.labelColors ?? {};
    const labels = Object.entries(colors).map(([name, color]) => ({ name, color }));
    saveFile("masks.csv", masksCsv(selected, { labels, destinations: [] }), "text/csv");
  };
  const run = (change: BulkChange) => () => void bulk.run(change)();
  const actions = [
    ["Switch on", run({ kind: "switch", active: true })],
    ["Switch off", run({ kind: "switch", active: false })],
    ["Label…", () => onAsk("label")],
    ["Move to…", () => onAsk("move")],
  ] as const;
  return (
    <>
      {actions.map(([label, onPress]) => (
        <Button key={label} size="small" onPress={onPress} isDisabled={isBusy}>
          {label}
        </Button>
      ))}
      <Button size="small" variant="quietDanger" onPress={() => onAsk("delete")} isDisabled={isBusy}>
        Delete…
      </Button>
      <Menu
        label="More for the selected masks"
        size="small"
        isDisabled={isBusy}
        items={[
          { id: "pin", label: "Pin", onSelect: run({ kind: "pin", pinned: true }) },
          { id: "unpin", label: "Unpin", onSelect: run({ kind: "pin", pinned: false }) },
          { id: "rules", label: "Apply rules…", onSelect: () => onAsk("rules") },
          { id: "export", label: "Export", onSelect: exportSelected },
        ]}
      />
    </>
  );
};

interface MaskSelectionProps {
  readonly bulk: Bulk;
  /** All masks that the list has found, of which some are selected. */
  readonly found: readonly Mask[];
  /** True if the user asked to select: the focus goes to the count, and "Done" ends it. */
  readonly isSelecting: boolean;
  readonly onDone: () => void;
}

/** Says how many masks are selected, and changes them together. */
export const MaskSelection = ({ bulk, found, isSelecting, onDone }: MaskSelectionProps) => {
  const { selected, progress, failures } = useObservable(bulk.view$);
  const { opened, isOpen, open, close } = useOpening<BulkQuestion>();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isSelecting) heading.current?.focus({ preventScroll: true });
  }, [isSelecting]);
  const chosen = found.filter(({ id }) => selected.has(id));
  const isAll = chosen.length === found.length && found.length > 0;
  const end = (): void => {
    bulk.select([]);
    if (isSelecting) onDone();
  };
  return (
    <section aria-label="Select masks" className={styles.selection} data-action-bar="">
      <Failures failures={failures} />
      <ActionBar
        about={
          <h2 ref={heading} tabIndex={-1} aria-live="polite" className={styles.count}>
            {chosen.length} of {found.length} selected
          </h2>
        }
        end={
          <Button size="small" onPress={end}>
            Done
          </Button>
        }
      >
        {progress !== null ? (
          <ProgressBar
            label={`${progress.done} of ${progress.total} masks`}
            value={(100 * progress.done) / progress.total}
          />
        ) : (
          <>
            <Button size="small" onPress={() => bulk.select(isAll ? [] : found.map(({ id }) => id))}>
              {isAll ? "Select none" : `Select all ${found.length}`}
            </Button>
            {chosen.length > 0 && (
              <BulkActions bulk={bulk} selected={chosen} isBusy={progress !== null} onAsk={open} />
            )}
          </>
        )}
      </ActionBar>
      {opened && (
        <BulkDialog
          key={opened.key}
          question={opened.target}
          bulk={bulk}
          selected={chosen}
          isOpen={isOpen}
          onClose={close}
        />
      )}
    </section>
  );
};
