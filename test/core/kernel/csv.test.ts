import { expect } from "chai";
import fc from "fast-check";
import { parseCsv, plainCell, writeCsv } from "../../../core/kernel/csv.ts";
import { expectLinear } from "../../support/linearTime.ts";

const cells = (csv: string): readonly (readonly string[])[] => parseCsv(csv).map((record) => record.cells);

const text = fc.string({
  unit: fc.constantFrom("a", "é", "𝄞", '"', ",", ";", "\t", "\n", "\r", "\r\n", " ", "=", "'", "-"),
});

describe("CSV", () => {
  it("round-trips, whatever the cells contain", () => {
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 5 })), (rows) => {
        const table = [["one", "two"], ...rows];
        expect(cells(writeCsv(table)).map((row) => row.map(plainCell))).to.deep.equal(table);
      }),
    );
  });

  it("is parsed for any input, in linear time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (any) => {
        expect(parseCsv(any)).to.be.an("array");
      }),
    );
    for (const piece of ['"', '""', "a,", "\r", "\r\n", ";", '",'])
      expectLinear(JSON.stringify(piece), 500_000 / piece.length, (times) => {
        expect(parseCsv(piece.repeat(times))).to.be.an("array");
      });
  });

  it("may contain delimiters, quotes and line breaks in quotes (RFC 4180, 2)", () => {
    expect(cells('a,"b, c","d ""e""","f\r\ng"\r\n')).to.deep.equal([["a", "b, c", 'd "e"', "f\r\ng"]]);
  });

  it("may have a byte order mark, LF alone, semicolons, no last line break, and empty lines", () => {
    expect(cells("\uFEFFa;b\n\n1;2")).to.deep.equal([
      ["a", "b"],
      ["1", "2"],
    ]);
    expect(cells('a\tb\n"1,2"\t3\n')).to.deep.equal([
      ["a", "b"],
      ["1,2", "3"],
    ]);
  });

  it("keeps empty cells, including the last one", () => {
    expect(cells("a,,\n,,c\n")).to.deep.equal([
      ["a", "", ""],
      ["", "", "c"],
    ]);
  });

  it("gives the line on which a record begins", () => {
    expect(parseCsv('a,b\n"x\ny",1\n\nc,d').map(({ line }) => line)).to.deep.equal([1, 2, 5]);
  });

  it("is never read as a formula by a spreadsheet", () => {
    for (const value of ["=1+1", "+1", "-1", "@x", "\tx", "'=1"])
      expect(
        parseCsv(
          writeCsv([
            ["a", "b"],
            [value, "x"],
          ]),
        )[1]?.cells[0]?.charAt(0),
        value,
      ).to.equal("'");
  });
});
