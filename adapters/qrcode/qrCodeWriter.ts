import { left, right } from "fp-ts/lib/Either.js";
import { unavailable } from "../../core/kernel/failure.ts";
import type { WriteQrCode } from "../../core/ports/qrCode.ts";

type Library = typeof import("./qrLibrary.ts");

/** Fetches what writes QR codes, some 10 kB: only where somebody is shown one. */
export const loadQrCode = (): Promise<Library> => import("./qrLibrary.ts");

/** Writes QR codes with the `qrcode` package, fetched by `load` with each; what fails is asked for again. */
export const makeQrCodeWriter =
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
