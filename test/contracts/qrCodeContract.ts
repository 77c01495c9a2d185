import { expect } from "chai";
import { isLeft } from "fp-ts/lib/Either.js";
import type { QrSymbol, WriteQrCode } from "../../core/ports/qrCode.ts";

/** A symbol's rows, dark modules as "#". */
export const rowsOf = ({ size, isDark }: QrSymbol): readonly string[] =>
  Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => (isDark(row, column) ? "#" : ".")).join(""),
  );

/** The symbol of a text that fits into one. */
export const written = async (write: WriteQrCode, text: string): Promise<QrSymbol> => {
  const outcome = await write(text)();
  if (isLeft(outcome)) throw new Error(`not written: ${outcome.left.kind}`);
  return outcome.right;
};

const finder = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"];

/** The tests that every QR code writer must pass. */
export const qrCodeContract = (make: () => WriteQrCode): void => {
  const uri = "otpauth://totp/Bauta:ada%40example.org?issuer=Bauta&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

  for (const text of ["a", uri, "ö€𝄞".repeat(20)])
    it(`creates a symbol of ${text.length} characters that a camera recognizes (ISO/IEC 18004, 6.3.3)`, async () => {
      const symbol = await written(make(), text);
      const rows = rowsOf(symbol);
      expect((symbol.size - 17) % 4).to.equal(0);
      expect(symbol.size).to.be.within(21, 177);
      const far = symbol.size - 7;
      for (const [top, left] of [
        [0, 0],
        [0, far],
        [far, 0],
      ] as const)
        expect(rows.slice(top, top + 7).map((row) => row.slice(left, left + 7))).to.deep.equal(finder);
      const timing = (rows[6] ?? "").slice(8, far - 1);
      expect(timing).to.equal("#.".repeat(timing.length).slice(0, timing.length));
    });

  it("creates the same symbol for the same text, and another for another", async () => {
    const write = make();
    const [one, again, other] = [
      await written(write, uri),
      await written(write, uri),
      await written(write, uri.replace("ada", "eva")),
    ];
    expect(rowsOf(again)).to.deep.equal(rowsOf(one));
    expect(rowsOf(other)).not.to.deep.equal(rowsOf(one));
  });

  it("is unavailable for more text than a symbol can contain", async () => {
    const outcome = await make()("x".repeat(3_000))();
    expect(isLeft(outcome) && outcome.left.kind).to.equal("unavailable");
  });
};
