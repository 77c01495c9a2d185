import { expect } from "chai";
import type { Client } from "../../support/client.ts";
import { type DescribedCall, describedCalls } from "../../support/declaredAnswers.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

/** Calls that end the session, or the account, of who makes them. */
const endings = ["DELETE /account", "POST /logout", "POST /auth/clear-token"];

const nameOf = ({ method, path }: DescribedCall): string => `${method} ${path}`;

// The client of the tests throws for an answer with a status that the document does not declare.
describe("Every call of the OpenAPI document", () => {
  let server: TestServer;
  let owner: Client;
  /** Ids that stand in paths in place of those of the examples. */
  let ids: Readonly<Record<string, string>>;

  const create = async (path: string, body: unknown): Promise<string> => {
    const { status, json } = await owner.call("POST", path, { body });
    expect(status, path).to.equal(201);
    return (json as { id: string }).id;
  };

  before(async () => {
    const client = { clientId: "bauta", clientSecret: "made-up" };
    server = await startServer({
      oidc: { issuer: "http://127.0.0.1:1", name: "Example", allowed: [], only: false, ...client },
    });
    owner = await server.signIn("ada@example.org");
    const mask = await create("/masks", { description: "Shoe shop" });
    ids = {
      masks: mask,
      correspondent: await create(`/masks/${mask}/correspondents`, { address: "orders@shop.example" }),
    };
  });
  after(() => server.stop());

  const urlOf = ({ path, params }: DescribedCall): string => {
    const exampleOf = (name: string): string =>
      ids[name] ??
      (name === "id" ? ids[path.split("/")[1] ?? ""] : undefined) ??
      String(params.find((one) => one.name === name)?.example);
    const query = params
      .filter((one) => one.in === "query" && !["after", "before", "maskId"].includes(one.name))
      .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleOf(name)));
    return query.length === 0 ? filled : `${filled}?${query.join("&")}`;
  };
  const send = (client: Client, call: DescribedCall) =>
    client.call(call.method, urlOf(call), call.body === undefined ? {} : { body: call.body });

  it("is answered as declared when it is sent as in its example", async () => {
    const calls = describedCalls.filter((call) => !endings.includes(nameOf(call)));
    const made: string[] = [];
    // What lasts is asked for by programs alone.
    for (const call of calls.filter(({ path }) => path !== "/events")) {
      const { status } = await send(owner, call);
      if (status === 201) made.push(nameOf(call));
    }
    expect(made).to.include.members([
      "POST /masks",
      "POST /masks/{id}/correspondents",
      "POST /domains",
      "POST /account/api-tokens",
      "POST /account/app-passwords",
      "POST /account/webhooks",
    ]);
  });

  it("is answered as declared without a session, and refused by 401 where it needs one", async () => {
    for (const call of describedCalls) {
      const { status } = await send(server.client(), call);
      if (call.security.length > 0) expect(status, nameOf(call)).to.equal(401);
    }
  });

  it("is answered as declared when its parameter is too long, or its body too large or no JSON", async () => {
    for (const call of describedCalls.filter(({ path }) => path.includes("{"))) {
      const url = call.path.replace(/\{\w+\}/g, "x".repeat(5_000));
      expect((await owner.call(call.method, url)).status, nameOf(call)).to.equal(414);
    }
    for (const call of describedCalls.filter(({ body }) => body !== undefined)) {
      const large = await owner.call(call.method, urlOf(call), { raw: `"${"x".repeat(300_000)}"` });
      expect(large.status, nameOf(call)).to.equal(413);
      const headers = { "content-type": "text/plain" };
      const plain = await owner.call(call.method, urlOf(call), { raw: "x", headers });
      expect(plain.status, nameOf(call)).to.equal(415);
    }
  });
});
