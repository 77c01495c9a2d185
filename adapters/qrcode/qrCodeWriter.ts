import { left, right } from "fp-ts/lib/Either.js";
import { unavailable } from "../../core/kernel/failure.ts";
import type { WriteQrCode } from "../../core/ports/qrCode.ts";

type Library = typeof import("./qrLibrary.ts");

/** Loads the QR code library (about 10 kB); only the screens that show a code need it. */
export const loadQrCode = (): Promise<Library> => import("./qrLibrary.ts");

/** Creates the QR code port over the `qrcode` package; a failed `load` is repeated with the next code. */
export const createQrCodeWriter =
  (load: () => Promise<Library>): WriteQrCode =>
  (text) =>
  async () => {
    try {
      const { writeSymbol } = await load();
      return right(writeSymbol(text));
    } catch (error) {
      return left(unavailable(`QR code: ${error}`));
    }
  };
