import { expect } from "chai";
import { isLeft, isRight } from "fp-ts/lib/Either.js";
import { createQrCodeWriter, loadQrCode } from "../../../adapters/qrcode/qrCodeWriter.ts";
import { qrCodeContract, rowsOf, written } from "../../contracts/qrCodeContract.ts";

/** Reads the fifteen format bits beside the upper left finder pattern, unmasked (ISO/IEC 18004, 7.9). */
const formatOf = (rows: readonly string[]): number => {
  const at = (row: number, column: number): number => (rows[row]?.[column] === "#" ? 1 : 0);
  const across = [0, 1, 2, 3, 4, 5, 7, 8].map((column) => at(8, column));
  const up = [7, 5, 4, 3, 2, 1, 0].map((row) => at(row, 8));
  return Number.parseInt([...across, ...up].join(""), 2) ^ 0b101010000010010;
};

describe("QR codes by the qrcode package", () => {
  qrCodeContract(() => createQrCodeWriter(loadQrCode));

  it("have error correction level H, which survives the loss of 30 % (SG2)", async () => {
    const rows = rowsOf(
      await written(createQrCodeWriter(loadQrCode), "otpauth://totp/Bauta:ada?secret=GEZDGNBV"),
    );
    const levelH = 0b10;
    expect(formatOf(rows) >> 13).to.equal(levelH);
  });

  it("are unavailable while their code cannot be loaded, and available once it can", async () => {
    let isOnline = false;
    const write = createQrCodeWriter(() => (isOnline ? loadQrCode() : Promise.reject(new Error("offline"))));
    const failed = await write("a")();
    expect(isLeft(failed) && failed.left.kind).to.equal("unavailable");
    isOnline = true;
    expect(isRight(await write("a")())).to.equal(true);
  });
});
