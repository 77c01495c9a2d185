import { useRef, useState } from "react";
import type { ImportDomain } from "../../../core/account/importDomains.ts";
import type { PreviewRow, RowState } from "../../../core/account/importPreview.ts";
import type { Imports } from "../../../core/account/imports.ts";
import { formatNumber } from "../../format/numbers.ts";
import { addressText } from "../../navigation/address.ts";
import { useTask } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Badge, type BadgeProps } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProgressBar } from "../../ui/feedback/ProgressBar.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { Pagination } from "../../ui/Pagination.tsx";
import styles from "./ImportPanel.module.css";

interface ImportListProps {
  readonly state: {
    readonly kind: "preview" | "running" | "stopped" | "done";
    readonly source: string;
    readonly rows: readonly PreviewRow[];
    readonly domains: readonly ImportDomain[];
    readonly isWaiting?: boolean;
    readonly unit: "Line" | "Entry";
    readonly leftOut: readonly string[];
    readonly reason?: string;
  };
  readonly fileName: string;
  readonly onCatchAll: (domain: string, isOn: boolean) => void;
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onClose: () => void;
}

const rowsOnPage = 20;

const stateBadges: Readonly<
  Record<RowState["kind"], { readonly label: string; readonly kind: BadgeProps["kind"] }>
> = {
  waiting: { label: "New", kind: "accent" },
  made: { label: "Added", kind: "success" },
  taken: { label: "Imported", kind: "success" },
  failed: { label: "Not added", kind: "danger" },
  skipped: { label: "Skipped", kind: "neutral" },
};

const formatMaskCount = (count: number): string => `${formatNumber(count)} ${count === 1 ? "mask" : "masks"}`;

const describeState = (state: RowState): string | null => {
  switch (state.kind) {
    case "made":
      return state.awaitsConfirmation ? `${state.maskEmail}, awaiting confirmation` : state.maskEmail;
    case "skipped":
    case "failed":
      return state.reason;
    case "taken":
      return state.note || null;
    case "waiting":
      return null;
  }
};

const ImportRow = ({ row, unit }: { readonly row: PreviewRow; readonly unit: string }) => {
  const { label, kind } = stateBadges[row.state.kind];
  const note = describeState(row.state);
  const rules = row.mask?.own?.rules.length ?? 0;
  const place = `${unit} ${row.at}`;
  const isBad = !row.isPart && (row.state.kind === "skipped" || row.state.kind === "failed");
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <span className={styles.title}>{row.mask?.description ?? (row.address || place)}</span>
        {row.mask && (
          <span className={styles.hint}>
            {row.kept && <>keeps {row.address} · </>}
            {!row.kept && row.address !== row.mask.description && row.address !== "" && (
              <>was {row.address} · </>
            )}
            to {row.mask.forwardTo ?? "your own address"}
            {!row.mask.isActive && " · switched off"}
            {rules > 0 && ` · ${rules} ${rules === 1 ? "rule" : "rules"}`}
          </span>
        )}
        {note && <span className={styles.news}>{isBad ? `${place}: ${note}` : note}</span>}
        {row.mask?.own && row.mask.own.leftOut.length > 0 && (
          <span className={styles.news}>
            {place}, not imported: {row.mask.own.leftOut.join(" ")}
          </span>
        )}
      </div>
      <Badge kind={kind}>{label}</Badge>
    </li>
  );
};

/** Counts the masks, and the other things, in each state. */
const countRows = (rows: readonly PreviewRow[]) => {
  const keeping = rows.filter(({ kept, state }) => kept && state.kind === "waiting").length;
  const count = (kind: RowState["kind"], isPart = false): number =>
    rows.filter((row) => row.isPart === isPart && row.state.kind === kind).length;
  const made = count("made");
  const failed = count("failed");
  const waiting = count("waiting");
  const taken = count("taken", true);
  const failedParts = count("failed", true);
  const waitingParts = count("waiting", true);
  return {
    ...{ made, failed, waiting, keeping, skipped: count("skipped") },
    ...{ taken, failedParts, waitingParts, parts: taken + failedParts + waitingParts },
    done: made + failed + taken + failedParts,
    toDo: waiting + waitingParts,
  };
};

type Counts = ReturnType<typeof countRows>;

const partsText = "addresses, labels, settings and rules for all masks";

const reportOf = ({ made, failed, skipped, parts, taken }: Counts): string =>
  `${formatMaskCount(made)} imported, ${failed} failed, ${skipped} skipped.${
    parts === 0 ? "" : ` ${taken} of ${parts} ${partsText} imported.`
  }`;

const keptText = (keeping: number, waiting: number): string => {
  if (keeping === 0) return "";
  if (keeping === 1) return " 1 keeps its address.";
  return keeping === waiting
    ? " All keep their addresses."
    : ` ${formatNumber(keeping)} keep their addresses.`;
};

const describeImport = (kind: ImportListProps["state"]["kind"], file: string, counts: Counts): string => {
  const { waiting, waitingParts, keeping, skipped, toDo } = counts;
  switch (kind) {
    case "preview":
      return toDo === 0
        ? `${file}. Nothing can be imported: each row says why.`
        : `${file}, ${formatMaskCount(waiting)} to import, ${skipped} skipped.${keptText(keeping, waiting)}${
            waitingParts === 0 ? "" : ` Before them ${waitingParts} ${partsText}.`
          }`;
    case "running":
      return "";
    case "stopped":
      return `Stopped. ${reportOf(counts)} ${formatMaskCount(waiting)} are left to import.`;
    case "done":
      return reportOf(counts);
  }
};

type ImportButtonsProps = Pick<ImportListProps, "onRun" | "onStop" | "onClose"> & {
  readonly kind: ImportListProps["state"]["kind"];
  readonly counts: Counts;
};

const ImportButtons = ({ kind, counts, onRun, onStop, onClose }: ImportButtonsProps) => {
  const { waiting, toDo } = counts;
  return (
    <ButtonRow>
      {kind === "preview" && toDo === 0 && <Button onPress={onClose}>Done</Button>}
      {kind === "preview" && toDo > 0 && (
        <>
          <Button variant="primary" onPress={onRun}>
            {waiting === 0 ? "Import" : `Import ${formatMaskCount(waiting)}`}
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
  );
};

/** So many domains are named; the others have few addresses each. */
const namedDomains = 5;

interface ImportDomainsProps {
  readonly domains: readonly ImportDomain[];
  readonly onCatchAll: ImportListProps["onCatchAll"];
}

/** The domains that keep their addresses, and the choice whether they go on taking mail for any other one. */
const ImportDomains = ({ domains, onCatchAll }: ImportDomainsProps) => {
  const others = domains.filter(({ proven }) => !proven).slice(0, namedDomains);
  return (
    <>
      {domains
        .filter(({ proven }) => proven?.catchAll === "off")
        .map(({ name, catchAll }) => (
          <Checkbox
            key={name}
            label={`Take mail to any other address at ${name} too (catch-all)`}
            description="Takes effect when the import ends. You can choose patterns under Domains."
            isChecked={catchAll !== null}
            onChange={(isOn) => onCatchAll(name, isOn)}
          />
        ))}
      {others.length > 0 && (
        <p className={styles.hint}>
          Masks of {others.map(({ name, addresses }) => `${name} (${formatNumber(addresses)})`).join(", ")}{" "}
          get new addresses. If one of these domains is yours, add and prove it under{" "}
          <a href={addressText(["settings", "domains"])}>Domains</a> first: then its addresses are kept.
        </p>
      )}
    </>
  );
};

/** Lists each row of an import file with what the import does with it, and later with the result. */
const ImportList = ({ state, fileName, onCatchAll, ...actions }: ImportListProps) => {
  const { kind, source, rows, domains, unit, leftOut, reason } = state;
  const [page, setPage] = useState(1);
  const list = useRef<HTMLUListElement>(null);
  const counts = countRows(rows);
  const { done, toDo, failed, failedParts } = counts;
  const pageCount = Math.ceil(rows.length / rowsOnPage);
  const currentPage = Math.min(page, pageCount);
  return (
    <>
      <p role="status">{describeImport(kind, `${fileName}: ${source}`, counts)}</p>
      {leftOut.length > 0 && <p className={styles.hint}>Not imported: {leftOut.join("; ")}.</p>}
      {kind === "preview" && toDo > 0 && <ImportDomains domains={domains} onCatchAll={onCatchAll} />}
      {kind === "running" && (
        <ProgressBar
          label={`${done} of ${done + toDo} imported${state.isWaiting ? ", waiting for the server" : ""}`}
          value={(100 * done) / (done + toDo)}
        />
      )}
      {(kind === "stopped" || kind === "done") && reason !== undefined && (
        <Banner kind="error">{reason}</Banner>
      )}
      {kind === "done" && failed + failedParts > 0 && (
        <Banner kind="warning">
          {failed > 0 ? "Some masks were not added." : "Not everything was imported."} Each row says why.
        </Banner>
      )}
      <ul ref={list} className={styles.list} aria-label="Masks in the file">
        {rows.slice((currentPage - 1) * rowsOnPage, currentPage * rowsOnPage).map((row) => (
          <ImportRow key={`${row.isPart} ${row.at}`} row={row} unit={unit} />
        ))}
      </ul>
      <Pagination
        page={currentPage}
        pageCount={pageCount}
        onChange={setPage}
        label="Pages of the file"
        list={list}
      />
      <ImportButtons kind={kind} counts={counts} {...actions} />
    </>
  );
};

interface ImportPanelProps {
  readonly imports: Imports;
  readonly fileName: string;
  readonly onClose: () => void;
}

/** What an import does with a chosen file: the rows before it runs, and later the results. */
export const ImportPanel = ({ imports, fileName, onClose }: ImportPanelProps) => {
  const state = useObservable(imports.state$);
  const run = useTask(imports.run);
  return (
    <div className={styles.panel}>
      {state.kind === "unreadable" && <Banner kind="error">{state.message}</Banner>}
      {"rows" in state && (
        <ImportList
          state={state}
          fileName={fileName}
          onCatchAll={imports.chooseCatchAll}
          onRun={run.run}
          onStop={imports.stop}
          onClose={onClose}
        />
      )}
    </div>
  );
};
