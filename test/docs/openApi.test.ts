import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect } from "chai";

/** A parameter, or a reference to one. */
interface Described {
  readonly name?: string;
  readonly schema?: { readonly type?: string };
  readonly example?: unknown;
}

const { openApiText } = (await import(new URL("../../scripts/api/openApi.mjs", import.meta.url).href)) as {
  readonly openApiText: () => Promise<string>;
};
const { readDeclarations } = (await import(
  new URL("../../scripts/api/declarations.mjs", import.meta.url).href
)) as {
  readonly readDeclarations: () => Promise<{
    readonly endpoints: readonly { readonly value: { readonly method: string; readonly path: string } }[];
  }>;
};
const text = await openApiText();

describe("The OpenAPI document", () => {
  it("has each declared call, described in sentences, and no other", async () => {
    const { paths } = JSON.parse(text) as {
      readonly paths: Record<string, Record<string, { readonly description: string }>>;
    };
    const described = Object.entries(paths).flatMap(([path, calls]) =>
      Object.keys(calls).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const { endpoints } = await readDeclarations();
    expect(described).to.have.members(
      endpoints.map(({ value }) => `${value.method} ${value.path.replace(/:(\w+)/g, "{$1}")}`),
    );
    expect(described.length).to.be.greaterThan(60);
    for (const { description } of Object.values(paths).flatMap((calls) => Object.values(calls)))
      expect(description).to.match(/^[A-Z`].*\.$/s);
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
    const problems = await lintFromString({ source: text, absoluteRef: "/openapi.json", config });
    const lines = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
    );
    expect(lines).to.deep.equal([]);
  });
});
