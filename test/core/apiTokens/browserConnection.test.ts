import { expect } from "chai";
import { left, right } from "fp-ts/lib/Either.js";
import { problemOf } from "../../../core/api/errorMessages.ts";
import type { NewApiToken } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import {
  browserScopes,
  createBrowserConnection,
  type HandoverMessage,
} from "../../../core/apiTokens/browserConnection.ts";
import { network } from "../../../core/kernel/failure.ts";
import { createApiToken, madeToken } from "../../fakes/productApiTokens.ts";
import { settled } from "../../fakes/virtualClock.ts";

const code = "0123456789abcdef".repeat(2);
const other = "f".repeat(32);
const question = (asking = code) => ({ bauta: "connect", step: "ask", code: asking });
const result = (problem: string | null, of = code) => ({ bauta: "connect", step: "done", code: of, problem });

const open = (isReachable = true) => {
  const sent: HandoverMessage[] = [];
  const asked: NewApiToken[] = [];
  const revoked: string[] = [];
  const connection = createBrowserConnection({
    name: "Firefox on Linux",
    path: "/bauta",
    send: (message) => sent.push(message),
    revoke: (id) => async () => {
      revoked.push(id);
      return right(undefined);
    },
    create: (token) => async () => {
      asked.push(token);
      return isReachable
        ? right({ apiToken: createApiToken("t1"), token: madeToken })
        : left(problemOf({ page: "Failed to create the API token" })(network("away")));
    },
  });
  return { ...connection, sent, asked, revoked };
};

describe("The connection of a browser", () => {
  it("gives nothing before the user has agreed, however often it is asked", async () => {
    const { receive, sent, asked, state$ } = open();
    for (let times = 0; times < 100; times += 1) receive(question());
    await settled();
    expect([sent, asked, state$.value.kind]).to.deep.equal([[], [], "offered"]);
  });

  it("gives one token, with what the extension needs alone, to the first who asks", async () => {
    const { receive, agree, sent, asked, state$ } = open();
    agree();
    receive(question());
    receive(question());
    receive(question(other));
    await settled();
    receive(question(other));
    await settled();
    expect(asked).to.deep.equal([
      { name: "Firefox on Linux", scopes: browserScopes, domain: null, lifetimeDays: null },
    ]);
    expect(sent).to.deep.equal([{ bauta: "connect", step: "give", code, token: madeToken, path: "/bauta" }]);
    receive(result(null, other));
    expect(state$.value.kind).to.equal("given");
    receive(result(null));
    expect(state$.value.kind).to.equal("connected");
  });

  it("says why the extension or the server has refused, and can be tried again", async () => {
    const refused = open();
    refused.agree();
    refused.receive(question());
    await settled();
    refused.receive(result("The server cannot be reached."));
    expect(refused.state$.value).to.deep.equal({ kind: "failed", problem: "The server cannot be reached." });
    const away = open(false);
    away.agree();
    away.receive(question());
    await settled();
    expect(away.state$.value.kind).to.equal("failed");
    expect(away.sent).to.deep.equal([]);
    away.agree();
    away.receive(question(other));
    await settled();
    expect(away.asked).to.have.lengthOf(2);
  });

  it("revokes a token that the extension has refused, or says nothing of, and no other", async () => {
    for (const end of ["refuses", "is silent", "takes it"] as const) {
      const { agree, receive, giveUp, revoked, state$ } = open();
      giveUp();
      agree();
      giveUp();
      expect(state$.value.kind).to.equal("waiting");
      receive(question());
      await settled();
      if (end !== "is silent") receive(result(end === "refuses" ? "It cannot be kept." : null));
      giveUp();
      expect([end, state$.value.kind, revoked]).to.deep.equal(
        end === "takes it" ? [end, "connected", []] : [end, "failed", ["t1"]],
      );
    }
  });

  it("ignores whatever else a script sends", async () => {
    const { receive, agree, asked } = open();
    agree();
    const lies = JSON.parse(
      `[null, 1, "ask", [], {"__proto__": {"step": "ask"}}, {"bauta": "connect", "step": "ask"}]`,
    );
    for (const lie of [...lies, { ...question(), code: "short" }, { ...question(), step: "give" }, undefined])
      receive(lie);
    await settled();
    expect(asked).to.deep.equal([]);
  });
});
