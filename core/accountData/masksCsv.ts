import { writeCsv } from "../imports/csvText.ts";
import { isActive, statisticsOf } from "../masks/mask.ts";
import type { AccountExport } from "./accountExport.ts";

const columns = [
  "mask",
  "description",
  "forward_to",
  "active",
  "spam_filter",
  "created",
  "received",
  "forwarded",
  "blocked",
];

/** The masks of an export for a spreadsheet, one a line; rules stand in the JSON alone. */
export const masksCsv = ({ masks }: AccountExport): string =>
  writeCsv([
    columns,
    ...masks.map((mask) => {
      const { totalReceived, totalForwarded, spamBlocked } = statisticsOf(mask);
      return [
        mask.maskEmail,
        mask.description ?? "",
        mask.forwardTo,
        String(isActive(mask)),
        String(mask.settings?.spamFilter ?? false),
        mask.created ?? "",
        String(totalReceived),
        String(totalForwarded),
        String(spamBlocked),
      ];
    }),
  ]);
