import { writeCsv } from "../kernel/csv.ts";
import type { DownloadableFile } from "../kernel/downloadableFile.ts";
import { describeStep, explainDetail } from "./explainEntry.ts";
import { directionLabels, type LogEntry, resultLabels } from "./logEntry.ts";

export type LogFormat = "csv" | "json";

/** The columns of the CSV file, in their order. */
const logColumns = [
  "time",
  "mask",
  "result",
  "sender",
  "size",
  "why",
  "rules",
  "what happened",
  "direction",
  "recipients",
] as const;
type LogColumn = (typeof logColumns)[number];

const cellsOf = (
  { at, direction, result, detail, steps }: LogEntry,
  mask: string,
): Readonly<Record<LogColumn, string>> => ({
  time: at,
  mask,
  result: resultLabels[result],
  sender: detail?.from ?? "",
  size: detail?.size === undefined ? "" : String(detail.size),
  why: detail ? explainDetail(detail).join(" ") : "",
  rules: (detail?.rules ?? []).map(({ name }) => name).join(", "),
  "what happened": steps.map((step) => `${step.at} ${describeStep(step)}`).join("; "),
  direction: directionLabels[direction],
  recipients: (detail?.to ?? []).join(", "),
});

const toRow = (entry: LogEntry, mask: string): readonly string[] => {
  const cells = cellsOf(entry, mask);
  return logColumns.map((column) => cells[column]);
};

/** Writes entries into a file; `maskOf` returns the address of a mask, or its id where the mask is gone. */
export const logFile = (
  entries: readonly LogEntry[],
  format: LogFormat,
  maskOf: (id: string) => string,
): DownloadableFile => {
  if (format === "csv") {
    const content = writeCsv([logColumns, ...entries.map((entry) => toRow(entry, maskOf(entry.maskId)))]);
    return { name: "mail-log.csv", type: "text/csv", content };
  }
  const list = entries.map(({ sealed: _, steps, ...entry }) => ({
    ...entry,
    mask: maskOf(entry.maskId),
    why: entry.detail ? explainDetail(entry.detail) : [],
    steps: steps.map(({ sealed: __, ...step }) => step),
  }));
  return { name: "mail-log.json", type: "application/json", content: JSON.stringify(list, null, 2) };
};
