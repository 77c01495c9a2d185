import { create } from "qrcode";
import type { QrSymbol } from "../../core/ports/qrCode.ts";

/** Encodes a text at error correction level H; throws when it is too long. */
export const writeSymbol = (text: string): QrSymbol => {
  const { modules } = create(text, { errorCorrectionLevel: "H" });
  return { size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 };
};
