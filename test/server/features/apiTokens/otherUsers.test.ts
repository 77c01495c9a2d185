import { expect } from "chai";
import { ApiScope } from "../../../../core/api/apiScope.ts";
import { pathOf } from "../../../../core/api/endpoint.ts";
import { type DeclaredCall, everyCall, requestsNaming } from "../../support/everyCall.ts";
import { adaEmail, type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { sqliteStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

/** What only Ada may see; no answer to another user may contain it. */
const secretWords = ["canary", "orders@shop.example", adaEmail];

const changed = (before: readonly string[], after: readonly string[]): readonly string[] => [
  ...before.filter((row) => !after.includes(row)).map((row) => `before: ${row}`),
  ...after.filter((row) => !before.includes(row)).map((row) => `after: ${row}`),
];

describe("A token of another user", () => {
  let here: HeldServer;
  let token: string;
  let things: readonly string[];
  let snapshot: () => Promise<readonly string[]>;

  before(async () => {
    here = await startHeldServer(sqliteStore, {}, undefined, { defaultTier: "self_hosted" });
    const { server, ada, mask } = here;
    const { db } = server.database;
    here.sink.onContent = ({ to }) => (to === adaEmail ? "554 5.7.1 no" : null);
    await here.send("orders@shop.example", letter("Shop <orders@shop.example>", [], "canary subject"));
    here.delivery.wake();
    await until("a mail is held", async () =>
      (await ada.call("GET", "/held")).text.includes("canary subject"),
    );
    const trashed = (await ada.call("POST", "/masks", { body: { description: "canary trash" } })).json;
    const prepared = [
      // The first reader of the figures adds new mail to them.
      await ada.call("GET", "/ai/categories"),
      await ada.call("PUT", `/masks/${mask.id}`, {
        body: { description: "canary mask", note: "canary note", labels: ["canary label"] },
      }),
      await ada.call("DELETE", `/masks/${(trashed as { id: string }).id}`),
      await ada.call("POST", "/destinations", { body: { email: "canary@home.example" } }),
      await ada.call("PUT", `/masks/${mask.id}/senders/canary.example`, { body: { list: "allow" } }),
      await ada.call("POST", "/labels", { body: { name: "canary label", color: "blue" } }),
      await ada.call("POST", `/masks/${mask.id}/correspondents`, {
        body: { address: "canary@shop.example" },
      }),
      await ada.call("POST", "/account/webhooks", {
        body: { url: "https://canary.example/", events: ["mask.made"], labels: [], includesContent: false },
      }),
      await ada.call("POST", "/account/api-tokens", {
        body: { name: "canary token", scopes: ["masks:read"], domain: null, lifetimeDays: 30 },
      }),
    ];
    expect(prepared.filter(({ status }) => status >= 300).map(({ text }) => text)).to.deep.equal([]);
    // What is queued is tried again by itself.
    await here.delivery.stop();
    const eve = await server.signIn("eve@home.example");
    await eve.call("POST", "/masks", { body: { description: "Eve's" } });
    const scopes = Object.keys(ApiScope.keys);
    const made = await eve.call("POST", "/account/api-tokens", {
      body: { name: "All", scopes, domain: null, lifetimeDays: 30 },
    });
    ({ token } = made.json as { token: string });

    const { id: adaId } = await db
      .selectFrom("users")
      .select("id")
      .where("email", "=", adaEmail)
      .executeTakeFirstOrThrow();
    const tables = await db.introspection.getTables();
    const owned = tables.filter(({ columns }) => columns.some(({ name }) => name === "user_id"));
    const readRows = async (): Promise<readonly Record<string, unknown>[]> => {
      const rows = await Promise.all(
        owned.map(({ name }) =>
          server.database.engine.read(`select * from ${name} where user_id = ?`, [adaId]),
        ),
      );
      return rows.flat() as readonly Record<string, unknown>[];
    };
    const rows = await readRows();
    const named = rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) =>
        /(?:^|_)(?:id|number|name|email)$/.test(column) && value !== null && value !== adaId
          ? [String(value)]
          : [],
      ),
    );
    things = [...new Set([...named, mask.maskEmail])].filter((one) => one !== "");
    // Whoever asks an address for its consent writes to it, and that is counted for the account that has the address.
    snapshot = async () => (await readRows()).map((row) => JSON.stringify({ ...row, own_mails: 0 }));
  });
  after(() => here?.stop());

  const send = async (
    { value: { method, path } }: DeclaredCall,
    params: Record<string, string>,
    body: unknown,
  ) => {
    const stopped = AbortSignal.timeout(2_000);
    const response = await fetch(`${here.server.origin}${pathOf(path, params)}`, {
      method,
      redirect: "manual",
      signal: stopped,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    if (!isStream) return { status: response.status, text: await response.text() };
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    return { status: response.status, text: new TextDecoder().decode(value) };
  };

  // Reading comes first: what Eve enters herself, such as an address, she may read.
  const open = everyCall
    .filter(({ value }) => value.tokens !== "none")
    .toSorted((one, other) => Number(one.value.method !== "GET") - Number(other.value.method !== "GET"));
  for (const declared of open)
    it(`sees and changes nothing of Ada by ${declared.value.method} ${declared.value.path}`, async () => {
      const before = await snapshot();
      for (const { thing, params, body } of requestsNaming(declared, things)) {
        const { status, text } = await send(declared, params, body);
        const sent = JSON.stringify([params, body]);
        const shown = [...secretWords, ...things].filter(
          (word) => word.length > 4 && text.includes(word) && !sent.includes(word),
        );
        expect(shown, `${status} for ${thing}: ${text.slice(0, 300)}`).to.deep.equal([]);
        expect(status, text).to.be.below(500);
      }
      expect(changed(before, await snapshot())).to.deep.equal([]);
    });

  it("is refused by every call that is for sessions alone", async () => {
    const closed = everyCall.filter(
      ({ value }) => value.tokens === "none" && value.authentication !== "none",
    );
    expect(closed.length).to.be.greaterThan(30);
    const before = await snapshot();
    for (const declared of closed) {
      const [request] = requestsNaming(declared, things);
      const { status, text } = await send(declared, request?.params ?? {}, request?.body);
      expect(status, `${declared.name}: ${text}`).to.be.oneOf([401, 403]);
    }
    expect(changed(before, await snapshot())).to.deep.equal([]);
  });

  it("could see it with a token of Ada", async () => {
    const { json } = await here.ada.call("POST", "/account/api-tokens", {
      body: { name: "Own", scopes: Object.keys(ApiScope.keys), domain: null, lifetimeDays: 30 },
    });
    const eves = token;
    ({ token } = json as { token: string });
    const seen: string[] = [];
    for (const declared of open.filter(({ value }) => value.method === "GET"))
      for (const { params } of requestsNaming(declared, things)) {
        const { status, text } = await send(declared, params, undefined);
        if (
          status === 200 &&
          [...secretWords, ...things].some((word) => word.length > 4 && text.includes(word))
        )
          seen.push(declared.name);
      }
    token = eves;
    expect(seen).to.include.members([
      "getMask",
      "listMasks",
      "listTrash",
      "listLabels",
      "listMaskSenders",
      "listHeldMails",
      "listDestinations",
      "listCorrespondents",
      "listNotifications",
      "getAccount",
      "getAlias",
    ]);
  });
});
