import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { addyTokenPrefix, apiTokenPrefix, maxApiTokens } from "../../core/apiTokens/apiTokenEndpoints.ts";
import { scopeTexts } from "../../core/apiTokens/scopeTexts.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/tokens.md"), "utf8");

describe("The page about API tokens", () => {
  it("says of each scope what the app says", () => {
    const rows = Array.from(page.matchAll(/^\| `([\w:]+)` \| (.*?) \| (.*?) \|$/gm), ([, ...cells]) => cells);
    expect(rows).to.deep.equal(
      Object.entries(scopeTexts).map(([scope, { label, detail }]) => [scope, label, detail]),
    );
  });

  it("says how many an account has, and what they begin with", () => {
    expect(page).to.include(`at most ${maxApiTokens}`);
    expect(page).to.include(`\`${apiTokenPrefix}\`, 41 characters`);
    expect(page).to.include(`\`${addyTokenPrefix}\``);
  });
});
