import { left, right } from "fp-ts/lib/Either.js";
import { unavailable } from "../../core/kernel/failure.ts";
import type { WriteQrCode } from "../../core/ports/qrCode.ts";

const size = 41;
const far = size - 7;

const inFinder = (row: number, column: number): boolean | undefined => {
  for (const [top, start] of [
    [0, 0],
    [0, far],
    [far, 0],
  ] as const) {
    const away = Math.max(Math.abs(row - top - 3), Math.abs(column - start - 3));
    if (away <= 4) return away !== 2 && away !== 4;
  }
  return undefined;
};

/** Looks like a QR code and differs from text to text, but no camera can read it. */
export const fakeQrCode: WriteQrCode = (text) => async () => {
  if (text.length > 1_273) return left(unavailable("QR code: the text is too long"));
  const bits = [...text].flatMap((character) => [...(character.codePointAt(0) ?? 0).toString(2)]);
  return right({
    size,
    isDark: (row, column) =>
      inFinder(row, column) ??
      (row === 6 || column === 6
        ? (row + column) % 2 === 0
        : bits[(row * size + column) % bits.length] === "1"),
  });
};
