import { readFileSync } from "node:fs";
import { expect } from "chai";
import { describeVersion, parseChangelog } from "../../../../server/features/operator/version.ts";

const changelog = `# Changelog

## Unreleased

## [1.10.0] - 2027-02-01

### Added

- Masks in
  two lines, with \`code\`.

### Fixed

- A defect.

## 1.9.0

- Earlier.

## [1.2.0]

- Old.
`;

const versions = ({ changes }: { readonly changes: readonly { readonly version: string }[] }) =>
  changes.map(({ version }) => version);

describe("The version on the operator's page", () => {
  it("lists what every newer version on the disk changes after a restart", () => {
    const described = describeVersion("1.2.0", "1.10.0", changelog);
    expect(versions(described)).to.deep.equal(["1.10.0", "1.9.0"]);
    expect(described.changes[0]?.entries).to.deep.equal(["Masks in two lines, with `code`.", "A defect."]);
  });

  it("lists what the running version changed when none is newer, also before the first release", () => {
    expect(
      versions(describeVersion("1.9.0", "1.9.0", changelog.replace(/## \[1\.10[\s\S]*?(?=## 1\.9)/, ""))),
    ).to.deep.equal(["1.9.0"]);
    const own = readFileSync(new URL("../../../../CHANGELOG.md", import.meta.url), "utf8");
    expect(describeVersion("0.1.0", "0.1.0", own).changes[0]?.entries.length).to.be.above(20);
    expect(describeVersion("0.1.0", "0.1.0", "").changes).to.deep.equal([]);
  });

  it("reads each entry of our changelog as one line", () => {
    const own = readFileSync(new URL("../../../../CHANGELOG.md", import.meta.url), "utf8");
    const entries = parseChangelog(own).flatMap((section) => section.entries);
    expect(entries.length).to.equal(own.match(/^- /gm)?.length);
    for (const entry of entries) expect(entry).to.match(/^\S[^\n]+$/);
  });
});
