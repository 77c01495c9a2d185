import { writeCsv } from "../kernel/csv.ts";
import type { DownloadableFile } from "../kernel/downloadableFile.ts";
import { describeStep, explainDetail } from "./explainEntry.ts";
import { directionLabels, type LogEntry, resultLabels } from "./logEntry.ts";

export type LogFormat = "csv" | "json";

const columns = [
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
];

const toRow = (entry: LogEntry, mask: string): readonly string[] => {
  const { at, direction, result, detail, steps } = entry;
  return [
    at,
    mask,
    resultLabels[result],
    detail?.from ?? "",
    detail?.size === undefined ? "" : String(detail.size),
    detail ? explainDetail(detail).join(" ") : "",
    (detail?.rules ?? []).map(({ name }) => name).join(", "),
    steps.map((step) => `${step.at} ${describeStep(step)}`).join("; "),
    directionLabels[direction],
    (detail?.to ?? []).join(", "),
  ];
};

/** Writes entries into a file; `maskOf` returns the address of a mask, or its id where the mask is gone. */
export const logFile = (
  entries: readonly LogEntry[],
  format: LogFormat,
  maskOf: (id: string) => string,
): DownloadableFile => {
  if (format === "csv") {
    const content = writeCsv([columns, ...entries.map((entry) => toRow(entry, maskOf(entry.maskId)))]);
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
