import { expect } from "chai";
import type { ApiScope, TokenAccess } from "../../../../core/api/apiScope.ts";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { classifiedCalls, protectedChanges } from "../../support/classifiedCalls.ts";
import type { Client } from "../../support/client.ts";
import { addedDestination, namedDestinations } from "../../support/namedDestinations.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

interface Declared {
  readonly value: {
    readonly method: string;
    readonly path: string;
    readonly tokens: TokenAccess;
    readonly needsRecentProof?: true;
  };
}

const { readAllEndpoints } = (await import(
  new URL("../../../../scripts/api/declarations.mjs", import.meta.url).href
)) as { readonly readAllEndpoints: () => Promise<readonly Declared[]> };
const endpoints = (await readAllEndpoints()).map(({ value }) => value);

const nameOf = ({ method, path }: Declared["value"]): string => `${method} ${path}`;
const callsOf = (kind: string): readonly string[] =>
  Object.entries(classifiedCalls).flatMap(([call, one]) => (one.kind === kind ? [call] : []));

const tokenScopes: readonly ApiScope[] = [
  "masks:create",
  "masks:read",
  "masks:write",
  "destinations",
  "correspondents",
  "log:read",
  "codes:read",
  "codes:read:all",
  "account:read",
];

describe("Calls that may change who gets in, or where mail goes", () => {
  let server: TestServer;
  let owner: Client;

  beforeEach(async () => {
    server = await startServer({ clockStands: true });
    owner = await server.signIn("owner@home.example");
  });
  afterEach(() => server.stop());

  const proofAsked = ({ status, json }: { readonly status: number; readonly json: unknown }): boolean =>
    status === 403 &&
    (json as { errors?: readonly { field: string }[] }).errors?.some(({ field }) => field === "proof") ===
      true;

  it("are classified, and those that are gone are not", () => {
    const changing = endpoints.filter(({ method, needsRecentProof }) => method !== "GET" || needsRecentProof);
    expect(changing.map(nameOf).sort()).to.deep.equal(Object.keys(classifiedCalls).sort());
  });

  it("declare the proof that they need", () => {
    const declared = endpoints.filter(({ needsRecentProof }) => needsRecentProof).map(nameOf);
    const always = Object.entries(classifiedCalls).flatMap(([call, one]) =>
      one.kind === "proof" && one.isAlways ? [call] : [],
    );
    expect(declared.sort()).to.deep.equal(always.sort());
  });

  it("ask an old session for a proof where they are classified so, and a new one not", async () => {
    for (const { what, send } of protectedChanges.filter(
      ({ endpoint }) => endpoint !== "DELETE /account/sessions",
    ))
      expect(proofAsked(await send(owner)), what).to.equal(false);
    server.clock.advance(5 * minuteMs + 1);
    for (const { what, send } of protectedChanges) expect(proofAsked(await send(owner)), what).to.equal(true);
  });

  it("are closed to API tokens where they ask a session for a proof", async () => {
    const body = { name: "All", scopes: tokenScopes, domain: null, lifetimeDays: 90 };
    const made = await owner.call("POST", "/account/api-tokens", { body });
    const program = server.client();
    program.token = (made.json as { token: string }).token;
    for (const { what, send } of protectedChanges) expect((await send(program)).status, what).to.equal(403);
  });

  it("are tried with new addresses where they name them, and by tokens with a scope", async () => {
    const tried = [...namedDestinations, addedDestination].map(({ endpoint }) => endpoint);
    expect([...new Set([...tried, "POST /api/mailboxes"])].sort()).to.deep.equal(
      [...callsOf("token scope")].sort(),
    );
    for (const call of callsOf("token scope"))
      expect(endpoints.find((one) => nameOf(one) === call)?.tokens, call).not.to.be.oneOf(["any", "none"]);
  });

  it("leave alone what needs no proof of an old session", async () => {
    const sessionId = ((await owner.call("GET", "/account/sessions")).json as { sessions: { id: string }[] })
      .sessions[0]?.id;
    server.clock.advance(6 * minuteMs);
    expect((await owner.call("POST", "/keys/setup")).status).to.equal(200);
    expect((await owner.call("PATCH", "/account/webhooks/1", { body: { active: false } })).status).to.equal(
      404,
    );
    expect((await owner.call("PUT", "/account/profile", { body: { senderShown: "mask" } })).status).to.equal(
      200,
    );
    expect((await owner.call("DELETE", `/account/sessions/${sessionId}`)).status).to.equal(200);
  });
});
