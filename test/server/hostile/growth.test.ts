import { expect } from "chai";
import { findGrowth } from "./growth.ts";
import { createParsers, type Parser } from "./parsers.ts";
import { hostileShapes, usualShapes } from "./shapes.ts";

/** `HOSTILE=all` measures every shape; `npm run bench hostile` measures every size besides. */
const shapes = process.env["HOSTILE"] === "all" ? [...hostileShapes.keys()] : usualShapes;

/** Parsers that are not linear yet. */
const notYet = /^judging/;

describe("What strangers send", () => {
  let parsers: Readonly<Record<string, Parser>>;
  before(async () => {
    parsers = await createParsers();
  });

  it("is read in linear time by every parser, whatever it consists of", async () => {
    const found: string[] = [];
    for (const [name, parser] of Object.entries(parsers))
      for (const shape of notYet.test(name) ? [] : shapes) {
        const make = hostileShapes.get(shape);
        const growth = make ? await findGrowth((bytes) => parser(make(bytes))) : "no such shape";
        if (growth !== null) found.push(`${name} / ${shape}: ${growth}`);
      }
    expect(found).to.deep.equal([]);
  });

  it("would be noticed when reading it took quadratic time", async () => {
    const quadratic: Parser = (text) => () => text.slice(0, text.length / 4).replace(/[ab]+c/g, "");
    const make = hostileShapes.get("one long word");
    expect(make && (await findGrowth((bytes) => quadratic(make(bytes))))).to.match(/ms for 64 kB/);
  });
});
