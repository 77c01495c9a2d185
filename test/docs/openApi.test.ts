import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect } from "chai";

describe("The OpenAPI document", () => {
  const file = new URL("../../docs/openapi.json", import.meta.url);
  const text = readFileSync(file, "utf8");

  it("is made of the endpoints as they are declared, with examples that decode (npm run api)", async () => {
    const { openApiText } = (await import(
      new URL("../../scripts/api/openApi.mjs", import.meta.url).href
    )) as {
      openApiText: () => Promise<string>;
    };
    expect(text).to.equal(await openApiText());
  });

  it("is valid by the recommended rules of Redocly", async () => {
    const config = await createConfig({ extends: ["recommended"], rules: { "no-ambiguous-paths": "off" } });
    const problems = await lintFromString({ source: text, absoluteRef: file.pathname, config });
    const lines = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
    );
    expect(lines).to.deep.equal([]);
  });
});
