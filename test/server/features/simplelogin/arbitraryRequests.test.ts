import { expect } from "chai";
import fc from "fast-check";
import * as addyAccount from "../../../../server/features/addy/contract/addyAccountEndpoints.ts";
import * as addyAliases from "../../../../server/features/addy/contract/addyAliasEndpoints.ts";
import * as mailboxes from "../../../../server/features/simplelogin/contract/mailboxEndpoints.ts";
import * as simplelogin from "../../../../server/features/simplelogin/contract/simpleLoginAliasEndpoints.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { makeToken } from "./tokens.ts";

const paths = [addyAccount, addyAliases, simplelogin, mailboxes].flatMap((module) =>
  Object.values(module as Readonly<Record<string, unknown>>).flatMap((value) => {
    const path = (value as { path?: unknown } | null)?.path;
    return typeof path === "string" ? [path] : [];
  }),
);

const segment = fc.oneof(fc.nat().map(String), fc.string({ maxLength: 20 }), fc.constant("%E0%A4%A"));
const path = fc.tuple(fc.constantFrom(...paths, "/api", "/api/:a/:b"), segment).map(([one, part]) => {
  const safe = part === "%E0%A4%A" ? part : encodeURIComponent(part);
  return one.replaceAll(/:\w+/g, () => safe);
});
const body = fc.oneof(
  fc.constant(undefined),
  fc.json(),
  fc.string({ maxLength: 200 }),
  fc
    .record(
      {
        note: fc.string({ unit: "binary", maxLength: 300 }),
        description: fc.string({ unit: "grapheme", maxLength: 300 }),
        domain: fc.constantFrom("masks.test", "x.example", ""),
        local_part: fc.string({ maxLength: 60 }),
        format: fc.string({ maxLength: 20 }),
        alias_prefix: fc.string({ maxLength: 60 }),
        signed_suffix: fc.string({ maxLength: 100 }),
        mailbox_ids: fc.array(fc.integer(), { maxLength: 3 }),
        ids: fc.array(fc.string(), { maxLength: 30 }),
        id: fc.string(),
        email: fc.string({ maxLength: 300 }),
        contact: fc.string({ maxLength: 300 }),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
);

describe("A program of another service that sends anything at all", () => {
  let server: TestServer;
  let token: string;

  before(async () => {
    server = await startServer({ defaultTier: "self_hosted" });
    token = await makeToken(await server.signIn("owner@home.example"));
  });
  after(() => server.stop());

  it("is answered in JSON, for pages of any origin, without a redirect or a failure of the server", async () => {
    const request = fc.record({
      method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
      path,
      query: fc.dictionary(fc.string({ maxLength: 12 }), fc.string({ maxLength: 30 }), { maxKeys: 3 }),
      body,
      slashes: fc.constantFrom("", "/"),
      key: fc.constantFrom("right", "wrong", "none"),
      type: fc.constantFrom("application/json", "text/json", "text/plain", ""),
    });
    await fc.assert(
      fc.asyncProperty(request, async (sent) => {
        const query = new URLSearchParams(sent.query).toString();
        const url = `${server.origin}${sent.slashes}${sent.path}${query && `?${query}`}`;
        const authentication = { right: token, wrong: "bauta_wrong", none: "" }[sent.key];
        const response = await fetch(url, {
          method: sent.method,
          redirect: "manual",
          headers: {
            origin: "https://elsewhere.example",
            ...(authentication && { authentication }),
            ...(sent.type && { "content-type": sent.type }),
          },
          ...(sent.method !== "GET" && sent.body !== undefined && { body: sent.body }),
        });
        const text = await response.text();
        expect(response.status, text).to.satisfy((status: number) => status < 300 || status >= 400);
        expect(response.status, text).to.be.below(500);
        expect(response.headers.get("access-control-allow-origin")).to.equal("*");
        if (response.status === 204) return;
        expect(response.headers.get("content-type")).to.contain("application/json");
        JSON.parse(text);
      }),
      { numRuns: 200 },
    );
  });
});
