import { readFileSync } from "node:fs";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect } from "chai";

/** A parameter, or a reference to one. */
interface Described {
  readonly name?: string;
  readonly schema?: { readonly type?: string };
  readonly example?: unknown;
}

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

  it("has a number where a number is meant, a boolean for a flag, and an address of a server", () => {
    const { paths, servers } = JSON.parse(text) as {
      readonly servers: readonly { readonly url: string }[];
      readonly paths: Record<string, Record<string, { parameters?: readonly Described[] }>>;
    };
    const found = Object.values(paths)
      .flatMap((calls) => Object.values(calls).flatMap(({ parameters = [] }) => parameters))
      .flatMap(({ name, schema, example }) =>
        name === undefined ? [] : { name, type: schema?.type, example },
      );
    const typeOf = (name: string) =>
      new Set(found.filter((one) => one.name === name).map(({ type }) => type));
    expect(typeOf("limit")).to.deep.equal(new Set(["integer"]));
    for (const name of ["apiTokens", "keepUnread"])
      expect(typeOf(name), name).to.deep.equal(new Set(["boolean"]));
    const looksTyped = found.filter(
      ({ type, example }) => type === "string" && /^(?:true|false|50)$/.test(`${example}`),
    );
    expect(looksTyped).to.deep.equal([]);
    expect(servers.map(({ url }) => url)).to.deep.equal(["https://{host}"]);
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
