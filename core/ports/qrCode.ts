import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";

/** A QR code as a square of modules, without the quiet zone (ISO/IEC 18004). */
export interface QrSymbol {
  /** Modules on each side. */
  readonly size: number;
  readonly isDark: (row: number, column: number) => boolean;
}

/**
 * Encodes text as a QR code, level H. Fails with `unavailable` when the text is too long or the encoder cannot be
 * loaded.
 */
export type WriteQrCode = (text: string) => TaskEither<Failure, QrSymbol>;
