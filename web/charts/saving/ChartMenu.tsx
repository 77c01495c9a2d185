import type { ComponentProps } from "react";
import { harmlessCell, writeCsv } from "../../../core/kernel/csv.ts";
import { useApp } from "../../react/useApp.ts";
import { saveFile } from "../../ui/files.tsx";
import { CopyIcon } from "../../ui/icons/CopyIcon.tsx";
import { DownloadIcon } from "../../ui/icons/DownloadIcon.tsx";
import type { MenuPopupOf } from "../../ui/overlay/Menu.tsx";
import { MenuPopup } from "../../ui/overlay/MenuPopup.tsx";
import type { ChartDrawing, ChartTable } from "../drawing.ts";
import { chartPicture } from "./chartPicture.ts";
import { readPaper } from "./paper.ts";
import { pngPicture } from "./pngPicture.ts";
import { svgPicture } from "./svgPicture.ts";

const recordsOf = ({ columns, rows }: ChartTable): readonly (readonly string[])[] => [
  columns,
  ...rows.map(({ name, cells }) => [name, ...cells.map(String)]),
];

/** The table as a CSV file. */
export const tableCsv = (table: ChartTable): string => writeCsv(recordsOf(table));

/** The table as it is pasted into a spreadsheet: cells between tabs, none of them a formula. */
export const tableText = (table: ChartTable): string =>
  recordsOf(table)
    .map((cells) => cells.map((cell) => harmlessCell(cell.replace(/[\t\r\n]+/g, " "))).join("\t"))
    .join("\n");

/** The chart that a menu saves. */
export interface SavedChart {
  readonly name: string;
  readonly drawing: ChartDrawing;
  readonly table: ChartTable;
}

const fileName = (name: string, ending: string): string =>
  `${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")}.${ending}`;

/** The list of what can be kept of a chart: its picture on paper colors, and its figures. */
export const ChartMenu = ({ items: chart, ...popup }: ComponentProps<MenuPopupOf<SavedChart>>) => {
  const { page, toasts } = useApp();
  const { name, drawing, table } = chart;
  const saveSvg = (): void =>
    saveFile(fileName(name, "svg"), svgPicture(chartPicture(name, drawing), readPaper()), "image/svg+xml");
  const savePng = (): void =>
    void pngPicture(chartPicture(name, drawing), readPaper()).then(
      (content) => saveFile(fileName(name, "png"), content, "image/png"),
      () => toasts.show("error", "This browser could not make the picture. Save it as SVG instead."),
    );
  const copy = async (): Promise<void> => {
    const { _tag } = await page.copy(tableText(table))();
    if (_tag === "Right") toasts.show("success", "Table copied to clipboard");
    else toasts.show("error", "The browser does not allow copying. Download the table as CSV instead.");
  };
  const download = <DownloadIcon size={18} />;
  return (
    <MenuPopup
      {...popup}
      items={[
        { id: "svg", label: "Save as SVG", icon: download, onSelect: saveSvg },
        { id: "png", label: "Save as PNG", icon: download, onSelect: savePng },
        { id: "copy", label: "Copy table", icon: <CopyIcon size={18} />, onSelect: () => void copy() },
        {
          id: "csv",
          label: "Download CSV",
          icon: download,
          onSelect: () => saveFile(fileName(name, "csv"), tableCsv(table), "text/csv"),
        },
      ]}
    />
  );
};
