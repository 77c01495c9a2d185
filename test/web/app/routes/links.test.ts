import "../../../support/dom.ts";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { pages, tabs } from "../../../../web/app/routes/routes.tsx";
import { settingsSections } from "../../../../web/app/settings/settingsSections.ts";
import { listDialogs } from "../../../../web/features/masks/listDialogs.ts";

const root = join(import.meta.dirname, "../../../..");

/** The addresses that have an entry, and those below them that name a domain, a mask or a rule as they need it. */
const known: ReadonlySet<string> = new Set([
  ...[...tabs, ...pages, ...settingsSections, ...listDialogs].map(({ path }) => path.join("/")),
  ...settingsSections.flatMap(({ path, cards }) => cards.map(({ id }) => [...path, id].join("/"))),
]);

/** The paths that a file names, up to the first part that is not written there. */
const pathsIn = (text: string): readonly string[] => [
  ...Array.from(text.matchAll(/addressText\(\[((?:"[\w-]+",? ?)+)/g), ([, parts = ""]) =>
    Array.from(parts.matchAll(/[\w-]+/g), ([part]) => part).join("/"),
  ),
  ...Array.from(text.matchAll(/["'`}]\/#([a-z][\w/-]*)/g), ([, path = ""]) => path),
];

describe("The links of the page and of the server's mails and answers", () => {
  it("lead to addresses that have an entry", () => {
    const links = globSync("{web,server}/**/*.{ts,tsx}", { cwd: root }).flatMap((file) =>
      pathsIn(readFileSync(join(root, file), "utf8")).map((path) => ({ file, path })),
    );
    expect(new Set(links.map(({ path }) => path))).to.include.all.keys(
      "held",
      "settings/programs",
      "masks/deleted",
    );
    expect(links.filter(({ path }) => !known.has(path))).to.deep.equal([]);
  });

  it("name each place once", () => {
    const addresses = [...tabs, ...pages, ...settingsSections, ...listDialogs].map(({ path }) =>
      path.join("/"),
    );
    expect(new Set(addresses).size).to.equal(addresses.length);
  });
});
