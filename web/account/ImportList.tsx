import { useState } from "react";
import type { PlannedRow, RowState } from "../../core/imports/importPlan.ts";
import { Badge, type BadgeProps } from "../ui/Badge.tsx";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { Pagination } from "../ui/Pagination.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";
import styles from "./ImportPanel.module.css";

interface ImportListProps {
  readonly state: {
    readonly kind: "preview" | "running" | "stopped" | "done";
    readonly source: string;
    readonly rows: readonly PlannedRow[];
  };
  readonly fileName: string;
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onClose: () => void;
}

const rowsOnPage = 20;

const words: Readonly<
  Record<RowState["kind"], { readonly label: string; readonly kind: BadgeProps["kind"] }>
> = {
  waiting: { label: "To be made", kind: "accent" },
  made: { label: "Made", kind: "success" },
  failed: { label: "Not made", kind: "danger" },
  skipped: { label: "Passed over", kind: "neutral" },
};

const masks = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "mask" : "masks"}`;

const said = (state: RowState): string | null => {
  switch (state.kind) {
    case "made":
      return state.awaitsConfirmation ? `${state.maskEmail}, awaiting confirmation` : state.maskEmail;
    case "skipped":
    case "failed":
      return state.reason;
    case "waiting":
      return null;
  }
};

const Row = ({ row }: { readonly row: PlannedRow }) => {
  const { label, kind } = words[row.state.kind];
  const news = said(row.state);
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <span className={styles.title}>{row.mask?.description ?? (row.address || `Row ${row.at}`)}</span>
        {row.mask && (
          <span className={styles.hint}>
            {row.address !== row.mask.description && row.address !== "" && <>was {row.address} · </>}
            to {row.mask.forwardTo ?? "your own address"}
            {!row.mask.isActive && " · switched off"}
          </span>
        )}
        {news && <span className={styles.news}>{news}</span>}
      </div>
      <Badge kind={kind}>{label}</Badge>
    </li>
  );
};

/** Each row of the list with what would become of it, and then with what did. */
export const ImportList = ({ state, fileName, onRun, onStop, onClose }: ImportListProps) => {
  const { kind, source, rows } = state;
  const [page, setPage] = useState(1);
  const count = (wanted: RowState["kind"]): number => rows.filter((row) => row.state.kind === wanted).length;
  const [waiting, made, failed, skipped] = [
    count("waiting"),
    count("made"),
    count("failed"),
    count("skipped"),
  ];
  const pageCount = Math.ceil(rows.length / rowsOnPage);
  const shown = Math.min(page, pageCount);
  const report = `${masks(made)} made, ${failed} not made, ${skipped} passed over.`;

  return (
    <>
      <p role="status">
        {kind === "preview" &&
          (waiting === 0
            ? `${fileName}: ${source}. There is nothing to import in it: each row says why.`
            : `${fileName}: ${source}, ${masks(waiting)} to be made, ${skipped} passed over.`)}
        {kind === "stopped" && `Stopped. ${report} ${masks(waiting)} still to be made.`}
        {kind === "done" && report}
      </p>
      {kind === "running" && (
        <ProgressBar label="Making masks" value={(100 * (made + failed)) / (made + failed + waiting)} />
      )}
      {kind === "done" && failed > 0 && (
        <Banner kind="warning">Some masks were not made. Each says why.</Banner>
      )}
      <ul className={styles.list} aria-label="Masks in the file">
        {rows.slice((shown - 1) * rowsOnPage, shown * rowsOnPage).map((row) => (
          <Row key={row.at} row={row} />
        ))}
      </ul>
      <Pagination page={shown} pageCount={pageCount} onChange={setPage} label="Pages of the file" />
      <ButtonRow>
        {kind === "preview" && waiting === 0 && <Button onPress={onClose}>Done</Button>}
        {kind === "preview" && waiting > 0 && (
          <>
            <Button variant="primary" onPress={onRun}>
              Import {masks(waiting)}
            </Button>
            <Button onPress={onClose}>Cancel</Button>
          </>
        )}
        {kind === "running" && <Button onPress={onStop}>Stop</Button>}
        {kind === "stopped" && (
          <Button variant="primary" onPress={onRun}>
            Go on
          </Button>
        )}
        {(kind === "stopped" || kind === "done") && <Button onPress={onClose}>Done</Button>}
      </ButtonRow>
    </>
  );
};
