import { readFileSync } from "node:fs";
import { expect } from "chai";

describe("The document of the API", () => {
  const page = new URL("../../docs/api.md", import.meta.url);

  it("is made of the endpoints as they are declared (npm run api)", async () => {
    const { apiDocument } = (await import(
      new URL("../../scripts/apiDocument.mjs", import.meta.url).href
    )) as {
      apiDocument: () => Promise<string>;
    };
    expect(readFileSync(page, "utf8")).to.equal(await apiDocument());
  });

  it("describes every call and every message of the socket in a sentence or by its type", () => {
    const text = readFileSync(page, "utf8");
    for (const part of ["### GET /masks\n", "### PUT /masks/:id\n", "### ClientMessage", "### ServerMessage"])
      expect(text).to.include(part);
    const calls = text.split("\n## Types")[0]?.split("\n### ").slice(1) ?? [];
    expect(calls.length).to.be.greaterThan(60);
    for (const call of calls) expect(call.split("\n\n")[1]?.trim(), call).to.match(/^[A-Z`].*\.$/s);
  });
});
