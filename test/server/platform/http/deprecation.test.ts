import { readFileSync } from "node:fs";
import { expect } from "chai";
import fastify from "fastify";
import { anchorOf, type Endpoint, endpoint } from "../../../../core/api/endpoint.ts";
import { UseCaseError } from "../../../../server/platform/errors/useCaseError.ts";
import { announceDeprecations } from "../../../../server/platform/http/deprecation.ts";
import { route } from "../../../../server/platform/http/route.ts";

const changelog = new URL("../../../../CHANGELOG.md", import.meta.url);
const declarations = new URL("../../../../scripts/api/declarations.mjs", import.meta.url);

describe("A call that is to be replaced", () => {
  const open = { authentication: "none" } as const;
  const instead = "Use GET /new.";
  const oldest = endpoint("GET", "/old/:id", {
    ...open,
    deprecation: { since: "2026-11-01", until: "2027-11-01", instead },
  });
  const failing = endpoint("POST", "/failing", { ...open, deprecation: { since: "2026-11-01", instead } });
  const kept = endpoint("GET", "/kept", open);

  it("says so in each answer, errors too, with its end and a link; the others say nothing", async () => {
    const server = fastify();
    announceDeprecations(server, "https://mail.example.org");
    route(server, oldest, async () => {});
    route(server, kept, async () => {});
    route(server, failing, async () => {
      throw new UseCaseError("conflict", "No.");
    });
    const old = await server.inject("/old/1");
    expect(old.headers).to.deep.include({
      deprecation: "@1793491200",
      sunset: "Mon, 01 Nov 2027 00:00:00 GMT",
      link: '<https://mail.example.org/developers#get-old-id>; rel="deprecation"; type="text/html"',
    });
    const failed = await server.inject({ method: "POST", url: "/failing" });
    expect(failed.headers).to.include({ deprecation: "@1793491200" });
    expect(failed.headers).not.to.have.property("sunset");
    const { headers } = await server.inject("/kept");
    for (const name of ["deprecation", "sunset", "link"]) expect(headers).not.to.have.property(name);
    await server.close();
  });

  it("has a line in the changelog that names it", async () => {
    const { readDeclarations } = (await import(declarations.href)) as {
      readDeclarations: () => Promise<{
        readonly endpoints: readonly { readonly value: Endpoint<unknown, unknown, unknown> }[];
      }>;
    };
    const text = readFileSync(changelog, "utf8");
    const { endpoints } = await readDeclarations();
    expect(endpoints.length).to.be.greaterThan(60);
    for (const { value } of endpoints)
      if (value.deprecation) expect(text).to.contain(`\`${value.method} ${value.path}\``);
  });

  it("has an address of its own, as each call has", async () => {
    expect(anchorOf(oldest)).to.equal("get-old-id");
    expect(anchorOf({ method: "PUT", path: "/masks/{id}" })).to.equal("put-masks-id");
  });
});
