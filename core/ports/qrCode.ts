import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";

/** A QR code as a square of modules, without the quiet zone around it (ISO/IEC 18004). */
export interface QrSymbol {
  /** Modules on each side. */
  readonly size: number;
  readonly isDark: (row: number, column: number) => boolean;
}

/**
 * Writes text as a QR code of error correction level H, of which three tenths may be lost. `unavailable` when the text
 * is too long for one, or the means to write it cannot be had.
 */
export type WriteQrCode = (text: string) => TaskEither<Failure, QrSymbol>;
