import { expect } from "chai";
import fc from "fast-check";
import { parseCsv } from "../../../core/kernel/csv.ts";
import type { ChartDrawing, ChartTable } from "../../../web/charts/drawing.ts";
import { tableCsv, tableText } from "../../../web/charts/saving/ChartMenu.tsx";
import { chartPicture } from "../../../web/charts/saving/chartPicture.ts";
import type { Paper } from "../../../web/charts/saving/paper.ts";
import { svgPicture } from "../../../web/charts/saving/svgPicture.ts";

const paper: Paper = {
  ground: "#ffffff",
  text: "#1a1a1e",
  line: "#d3d0c8",
  series: {
    1: "#111111",
    2: "#222222",
    3: "#333333",
    4: "#444444",
    5: "#555555",
    6: "#666666",
    7: "#777777",
  },
  font: 'system-ui, "Segoe UI"',
};

const parts = [
  { label: "Forwarded", series: 1 },
  { label: "Blocked", series: 5 },
] as const;

const tableOf = (name: string): ChartTable => ({
  columns: ["Mask", "Mails"],
  rows: [{ key: "1", name, cells: [12] }],
});

describe("The picture of a chart", () => {
  const drawings = fc.oneof(
    fc.record({
      kind: fc.constant("columns" as const),
      parts: fc.constant(parts),
      columns: fc.array(fc.record({ label: fc.string(), values: fc.tuple(fc.nat(), fc.nat()) })),
      ceiling: fc.constant(2 ** 32),
    }),
    fc.record({
      kind: fc.constant("bars" as const),
      parts: fc.constant(parts),
      bars: fc.array(
        fc.record({ label: fc.string({ unit: "binary" }), values: fc.tuple(fc.nat(), fc.nat()) }),
      ),
      longest: fc.constant(2 ** 32),
    }),
    fc.record({
      kind: fc.constant("donut" as const),
      unit: fc.constant("mails"),
      slices: fc.array(
        fc.record({ label: fc.string(), value: fc.nat(), series: fc.constantFrom(1 as const, 5 as const) }),
      ),
    }),
  );

  it("is well-formed, whatever the names and the figures are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), drawings, (title, drawing: ChartDrawing) => {
        const svg = svgPicture(chartPicture(title, drawing), paper);
        expect(svg).to.not.match(/NaN|Infinity|undefined/);
        expect(svg.replace(/<[^<>]*>/g, "")).to.not.match(/[<>]/);
        expect(svg).to.not.match(/&(?!amp;|lt;|gt;|quot;|#39;)/);
      }),
    );
  });

  it("has stripes where the page has them, and the plain color of each other series", () => {
    const bars = [{ label: "Shop", values: [3, 2] }];
    const svg = svgPicture(chartPicture("Mail", { kind: "bars", parts, bars, longest: 5 }), paper);
    const fills = Array.from(svg.matchAll(/<path transform[^>]*fill="([^"]*)"/g), ([, fill]) => fill);
    expect(new Set(fills)).to.deep.equal(new Set(["#111111", "url(#hatched)"]));
    expect(fills[0]).to.equal("#111111");
  });

  it("names its font and loads none", () => {
    const svg = svgPicture(chartPicture("Mail", { kind: "bars", parts, bars: [], longest: 1 }), paper);
    expect(svg).to.include('font-family="system-ui, &quot;Segoe UI&quot;"');
    expect(svg).to.not.match(/@font-face|href|data:/);
  });
});

describe("The table of a chart", () => {
  for (const name of ["=1+1", "+1", "-1", "@sum", "Shop, the", 'The "shop"'])
    it(`is a file that no spreadsheet runs: ${name}`, () => {
      const csv = tableCsv(tableOf(name));
      expect(csv).to.not.match(/^[=+\-@]/m);
      const [, record] = parseCsv(csv);
      expect(record?.cells[0]?.replace(/^'(?=[=+\-@])/, "")).to.equal(name);
    });

  it("is copied with a tab between its cells, and without formulas", () => {
    expect(tableText(tableOf("=a\tb\nc"))).to.equal("Mask\tMails\n'=a b c\t12");
  });
});
