import { create } from "qrcode";
import type { QrSymbol } from "../../core/ports/qrCode.ts";

/** Writes text at level H; throws when it is too long. In a module of its own, fetched late with the library. */
export const writeSymbol = (text: string): QrSymbol => {
  const { modules } = create(text, { errorCorrectionLevel: "H" });
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 };
};
