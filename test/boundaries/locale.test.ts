import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const root = join(import.meta.dirname, "..", "..");

/** A format with a locale of its own: what the user reads is in the English of their region, by `web/format`. */
const fixedLocale = /(?:Intl\.(?:DateTime|Number|RelativeTime)Format|toLocale(?:Date|Time)?String)\(\s*["'`]/;

/** The English of the region, and the clock of a rule, which shows nothing. */
const exceptions = ["core/kernel/regionalEnglish.ts", "core/rules/model/timeRange.ts"];

describe("A date, a time or a number that the page shows", () => {
  it("is in no locale of its own", () => {
    const files = ["core", "web"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => `${folder}/${file}`),
    );
    const found = files.filter((file) => fixedLocale.test(readFileSync(join(root, file), "utf8")));
    expect(found).to.deep.equal(exceptions);
  });
});
