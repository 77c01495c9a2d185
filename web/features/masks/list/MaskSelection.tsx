import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { masksCsv } from "../../../../core/account/masksCsv.ts";
import { type Bulk, type BulkView, createBulk } from "../../../../core/bulk/bulk.ts";
import type { BulkChange } from "../../../../core/bulk/bulkChange.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { useOpening } from "../../../loading/useOpening.ts";
import { useFeature, useSignedIn } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { ProgressBar } from "../../../ui/feedback/ProgressBar.tsx";
import { saveFile } from "../../../ui/files.tsx";
import { ButtonRow } from "../../../ui/layout/layout.tsx";
import { Pagination } from "../../../ui/Pagination.tsx";
import { BulkDialog, type BulkQuestion } from "../../bulk/BulkDialog.tsx";
import styles from "../MasksTab.module.css";
import type { OpenMaskDialog } from "../maskDialog.ts";
import { MaskTable } from "./MaskTable.tsx";

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

/** What can be done with the selected masks. */
const BulkActions = ({ bulk, selected, isBusy, onAsk }: ActionsProps) => {
  const { account } = useSignedIn();
  const exportSelected = (): void => {
    const colors = account.account$.value?.settings?.labelColors ?? {};
    const labels = Object.entries(colors).map(([name, color]) => ({ name, color }));
    saveFile("masks.csv", masksCsv(selected, { labels, destinations: [] }), "text/csv");
  };
  const isDisabled = isBusy || selected.length === 0;
  const run = (change: BulkChange) => () => void bulk.run(change)();
  const actions = [
    ["Switch on", run({ kind: "switch", active: true })],
    ["Switch off", run({ kind: "switch", active: false })],
    ["Pin", run({ kind: "pin", pinned: true })],
    ["Unpin", run({ kind: "pin", pinned: false })],
    ["Label…", () => onAsk("label")],
    ["Move to…", () => onAsk("move")],
    ["Apply rules…", () => onAsk("rules")],
    ["Export", exportSelected],
  ] as const;
  return (
    <ButtonRow>
      {actions.map(([label, onPress]) => (
        <Button key={label} size="small" onPress={onPress} isDisabled={isDisabled}>
          {label}
        </Button>
      ))}
      <Button size="small" variant="quietDanger" onPress={() => onAsk("delete")} isDisabled={isDisabled}>
        Delete…
      </Button>
    </ButtonRow>
  );
};

/** The checkboxes of a table can be reached with the arrow keys; Shift selects on the way. */
const moveToNeighbor = (event: KeyboardEvent<HTMLElement>, bulk: Bulk): void => {
  const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>("input[data-select]")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = boxes.indexOf(event.target as HTMLInputElement);
  const next = step === undefined || at < 0 ? undefined : boxes[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  if (event.shiftKey) bulk.toggle(next.dataset["select"] ?? "", true);
};

interface MaskSelectionProps {
  readonly onOpen: OpenMaskDialog;
  readonly onIntent: () => void;
  readonly onDone: () => void;
}

/** Selects several of the masks that the list has found, with the mouse or the keyboard, and changes them together. */
export const MaskSelection = ({ onOpen, onIntent, onDone }: MaskSelectionProps) => {
  const { masks } = useSignedIn();
  const bulk = useFeature(createBulk);
  const { found } = useObservable(masks.page$);
  const { pageSize } = useObservable(masks.settings$);
  const { selected, progress, failures } = useObservable(bulk.view$);
  const [page, setPage] = useState(1);
  const { wanted, isOpen, open, close } = useOpening<BulkQuestion>();
  const heading = useRef<HTMLHeadingElement>(null);
  const newestRow = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    return () => bulk.select([]);
  }, [bulk]);
  const pages = Math.max(1, Math.ceil(found.length / pageSize.rows));
  const shown = Math.min(page, pages);
  const items = found.slice((shown - 1) * pageSize.rows, shown * pageSize.rows);
  const chosen = found.filter(({ id }) => selected.has(id));
  const isAll = chosen.length === found.length && found.length > 0;
  const handleKey = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === "Escape" && !event.defaultPrevented) onDone();
    else if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      bulk.select(found.map(({ id }) => id));
    } else moveToNeighbor(event, bulk);
  };
  return (
    <section aria-label="Select masks" className={styles.list}>
      <h2 ref={heading} tabIndex={-1} aria-live="polite">
        {chosen.length} of {found.length} selected
      </h2>
      <ButtonRow>
        <Button
          size="small"
          onPress={() => bulk.select(isAll ? [] : found.map(({ id }) => id))}
          isDisabled={found.length === 0}
        >
          {isAll ? "Select none" : `Select all ${found.length}`}
        </Button>
        <Button size="small" onPress={onDone}>
          Done
        </Button>
      </ButtonRow>
      <BulkActions bulk={bulk} selected={chosen} isBusy={progress !== null} onAsk={open} />
      {progress !== null && (
        <ProgressBar
          label={`${progress.done} of ${progress.total} masks`}
          value={(100 * progress.done) / progress.total}
        />
      )}
      <Failures failures={failures} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: adds keys to the checkboxes inside, which work without them */}
      <div ref={list} onKeyDown={handleKey}>
        <MaskTable
          items={items}
          newest={null}
          newestCard={newestRow}
          selection={{ selected, toggle: bulk.toggle }}
          onOpen={onOpen}
          onIntent={onIntent}
        />
      </div>
      <div className={styles.pages}>
        <Pagination page={shown} pageCount={pages} onChange={setPage} label="Pages of masks" list={list} />
      </div>
      {wanted && (
        <BulkDialog
          key={wanted.key}
          question={wanted.about}
          bulk={bulk}
          selected={chosen}
          isOpen={isOpen}
          onClose={close}
        />
      )}
    </section>
  );
};
