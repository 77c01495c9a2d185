import { expect } from "chai";
import { longTestMs } from "../../support/limits.ts";
import { findGrowth } from "./growth.ts";
import { createParsers, type Parser } from "./parsers.ts";
import { hostileShapes, shapesForAll, usualShapes } from "./shapes.ts";

const isWhole = process.env["HOSTILE"] === "all";
const shapes = isWhole ? [...hostileShapes.keys()] : usualShapes;
/** Of the usual shapes each parser gets every so many, neighbors in the table others; `HOSTILE=all` gives each all. */
const share = isWhole ? 1 : 4;
const shapesOf = (place: number): readonly string[] => [
  ...new Set([...shapes.filter((_, n) => n % share === place % share), ...shapesForAll]),
];

describe("What strangers send", () => {
  let parsers: Readonly<Record<string, Parser>>;
  before(async () => {
    parsers = await createParsers();
  });

  it("is read in linear time by every parser, whatever it consists of", async function () {
    this.timeout(longTestMs);
    const found: string[] = [];
    for (const [place, [name, parser]] of Object.entries(parsers).entries())
      for (const shape of shapesOf(place)) {
        const make = hostileShapes.get(shape);
        const growth = make ? await findGrowth((bytes) => parser(make(bytes))) : "no such shape";
        if (growth !== null) found.push(`${name} / ${shape}: ${growth}`);
      }
    expect(found).to.deep.equal([]);
  });

  it("would be noticed when reading it took quadratic time", async () => {
    const quadratic: Parser = (text) => () => {
      let pairs = 0;
      for (let one = 0; one < text.length / 32; one += 1)
        for (let other = 0; other < text.length / 32; other += 1)
          if (text.charCodeAt(one) === text.charCodeAt(other)) pairs += 1;
      return pairs;
    };
    const make = hostileShapes.get("one long word");
    expect(make && (await findGrowth((bytes) => quadratic(make(bytes))))).to.match(/ms for 64 kB/);
  });
});
