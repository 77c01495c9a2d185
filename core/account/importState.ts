import type { CatchAllChange, ImportDomain } from "./importDomains.ts";
import type { PreviewRow, RowState } from "./importPreview.ts";
import { ownSource } from "./importSources.ts";

/** The state of an import. */
export type ImportState =
  | { readonly kind: "none" }
  /** The file is not a readable list of masks. */
  | { readonly kind: "unreadable"; readonly message: string }
  | ImportRows;

interface ImportRows {
  /** "stopped": by the user or by a lost connection. */
  readonly kind: "preview" | "running" | "stopped" | "done";
  readonly source: string;
  readonly rows: readonly PreviewRow[];
  /** The domains of the addresses, those with the most first. */
  readonly domains: readonly ImportDomain[];
  /** True if the import goes on in a while, because the server takes only so many masks a minute. */
  readonly isWaiting?: boolean;
  /** The unit that `at` of a row counts. */
  readonly unit: "Line" | "Entry";
  /** The parts that no row takes over, in words. */
  readonly leftOut: readonly string[];
  /** The reason for which it has stopped, unless the user stopped it. */
  readonly reason?: string;
}

const onRows =
  (change: (rows: ImportRows) => ImportRows) =>
  (state: ImportState): ImportState =>
    "rows" in state ? change(state) : state;

/** Returns the next row: first what masks use; then the last mask of our own files, so that the newest is the newest again. */
export const nextRowIn = ({ rows, source }: ImportRows): number => {
  const isWaiting = ({ state }: PreviewRow): boolean => state.kind === "waiting";
  const part = rows.findIndex((row) => row.isPart && isWaiting(row));
  if (part >= 0) return part;
  return source === ownSource.name ? rows.findLastIndex(isWaiting) : rows.findIndex(isWaiting);
};

/** Returns the import under way, or under way again. */
export const running = ({ reason: _, ...rows }: ImportRows): ImportRows => ({ ...rows, kind: "running" });

/** Ends an import; `reason` where the user has not stopped it. */
export const ended = (kind: "stopped" | "done", reason?: string): ((state: ImportState) => ImportState) =>
  onRows((rows) => ({ ...rows, kind, ...(reason !== undefined && { reason }) }));

/** Sets the state of one row. */
export const withRowState = (index: number, state: RowState): ((state: ImportState) => ImportState) =>
  onRows((now) => ({ ...now, rows: now.rows.map((row, at) => (at === index ? { ...row, state } : row)) }));

/** Says whether the import waits for the server. */
export const withWaiting = (isWaiting: boolean): ((state: ImportState) => ImportState) =>
  onRows((rows) => ({ ...rows, isWaiting }));

/** Chooses what is changed about the catch-all of a domain; null for nothing. */
export const withCatchAll = (
  name: string,
  catchAll: CatchAllChange | null,
): ((state: ImportState) => ImportState) =>
  onRows((rows) => ({
    ...rows,
    domains: rows.domains.map((one) => (one.name === name ? { ...one, catchAll } : one)),
  }));

/** Fails all rows that wait. */
export const withWaitingFailed = (reason: string): ((state: ImportState) => ImportState) =>
  onRows((now) => ({
    ...now,
    rows: now.rows.map((row) =>
      row.state.kind === "waiting" ? { ...row, state: { kind: "failed", reason } as const } : row,
    ),
  }));
