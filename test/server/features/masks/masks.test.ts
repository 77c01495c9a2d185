import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { Mask } from "../../../../core/masks/mask.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { pruneAll } from "../../support/serverContext.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { setTier } from "../../support/tier.ts";

const notFound = { message: "Mask not found" };
/** The hash of a list without rules. */
const versionOfNone = "T1PNoYwrqgwDVLtfmj7L5e";
const newSettings = {
  spamFilter: false,
  acceptUnproven: false,
  notifyWhenOff: false,
  senderShown: "account",
  actionLinks: "account",
  unsubscribe: "account",
  keptInApp: "no",
  showCodes: false,
  rules: [],
  rulesVersion: versionOfNone,
};

describe("Masks", () => {
  let server: TestServer;
  let user: Client;

  beforeEach(async () => {
    server = await startServer();
    user = await server.signIn("owner@example.org");
  });
  afterEach(() => server.stop());

  const create = async (body: object, client = user): Promise<Mask> => {
    const { status, json, text } = await client.call("POST", "/masks", { body });
    expect(status, text).to.equal(201);
    expect(Mask.is(json)).to.equal(true);
    return json as Mask;
  };
  const edit = (id: string, body: object, client = user) => client.call("PUT", `/masks/${id}`, { body });
  const updatedOf = ({ json }: { readonly json: unknown }): string | undefined => (json as Mask).updated;
  const list = async (client = user): Promise<readonly Mask[]> =>
    ((await client.call("GET", "/masks")).json as { masks: Mask[] }).masks;

  it("keep labels, a note and a pin, and list them", async () => {
    const made = await user.call("POST", "/masks", {
      body: { description: "Shop", labels: ["Shops", "shops", "work"], note: "Card 12", pinned: true },
    });
    expect(made.json).to.deep.include({
      labels: ["Shops", "work"],
      note: "Card 12",
      pinned: true,
      lastMailAt: null,
    });
    const { id } = made.json as Mask;
    const edited = await user.call("PUT", `/masks/${id}`, { body: { labels: [], pinned: false } });
    expect(edited.json).to.deep.include({ labels: [], note: "Card 12", pinned: false });
    const refused = await user.call("PUT", `/masks/${id}`, { body: { labels: ["a,b"] } });
    expect(refused.status).to.equal(400);
  });

  it("are kept for a site, whichever part of it is named, and found by it", async () => {
    const made = await create({ description: "Books", madeFor: "Accounts.Shop.co.uk" });
    expect(made.madeFor).to.equal("shop.co.uk");
    await create({ description: "Other" });
    const found = await user.call("GET", `/masks?q=${encodeURIComponent("site:shop.co.uk")}`);
    expect((found.json as { masks: Mask[] }).masks.map(({ id }) => id)).to.deep.equal([made.id]);
    expect(made).not.to.have.property("madeForAlone");
    const shared = await edit(made.id, { madeFor: "duckdns.org" });
    expect(shared.json).to.deep.include({ madeFor: "duckdns.org", madeForAlone: true });
    const part = await edit(made.id, { madeFor: "www.ada.duckdns.org" });
    expect(part.json).to.include({ madeFor: "ada.duckdns.org" }).and.not.to.have.property("madeForAlone");
    expect((await edit(made.id, { madeFor: "" })).json).to.deep.include({ madeFor: "" });
    const refused = await edit(made.id, { madeFor: "not a site" });
    expect(refused.status).to.equal(400);
    expect(refused.json).to.deep.include({ message: "Enter a site such as shop.example" });
  });

  it("can be created with a description alone: active, to the account's own address, without spam filter", async () => {
    const mask = await create({ description: "Shop" });
    expect(mask).to.deep.include({
      description: "Shop",
      forwardTo: "owner@example.org",
      active: true,
      customPrefix: null,
      settings: newSettings,
      destinationStatus: "confirmed",
      metadata: {},
      statistics: { totalReceived: 0, totalForwarded: 0, spamBlocked: 0, totalSent: 0, lastUsed: null },
    });
    expect(mask.maskEmail).to.match(/^[bcdfghjkmnpqrstvwxyz2-9]{10}@masks\.test$/);
    expect(Date.parse(mask.created ?? "")).to.be.closeTo(server.clock.now(), 5_000);
    expect(await list()).to.deep.equal([mask]);
    expect((await user.call("GET", `/masks/${mask.id}`)).json).to.deep.equal(mask);
  });

  it("are listed newest first", async () => {
    await setTier(server.database, "owner@example.org", "basic");
    for (const description of ["first", "second", "third"]) {
      await create({ description });
      server.clock.advance(1);
    }
    expect((await list()).map(({ description }) => description)).to.deep.equal(["third", "second", "first"]);
  });

  it("show what happened to their mail", async () => {
    const { id } = await create({ description: "Busy" });
    const lastUsed = Date.UTC(2026, 10, 20, 12);
    await server.database.db
      .updateTable("mask_statistics")
      .set({ total_received: 5, total_forwarded: 4, spam_blocked: 1, total_sent: 2, last_used_at: lastUsed })
      .where("mask_id", "=", id)
      .execute();
    const expected = {
      totalReceived: 5,
      totalForwarded: 4,
      spamBlocked: 1,
      totalSent: 2,
      lastUsed: "2026-11-20T12:00:00.000Z",
    };
    expect((await user.call("GET", `/masks/${id}/stats`)).json).to.deep.equal(expected);
    expect((await list())[0]?.statistics).to.deep.equal(expected);
  });

  it("are changed field by field: fields left out stay", async () => {
    const mask = await create({ description: "Shop", settings: { spamFilter: true } });
    const off = await edit(mask.id, { active: false });
    expect(off.status).to.equal(200);
    expect(off.json).to.deep.equal({ ...mask, updated: updatedOf(off), active: false });
    const renamed = await edit(mask.id, { description: "Other shop", settings: { spamFilter: false } });
    expect(renamed.json).to.deep.equal({
      ...mask,
      updated: updatedOf(renamed),
      active: false,
      description: "Other shop",
      settings: newSettings,
    });
    const { updated: _, ...same } = renamed.json as Mask;
    expect((await edit(mask.id, {})).json, "an empty change").to.deep.include(same);
    expect([mask.updated, updatedOf(off), updatedOf(renamed)]).to.deep.equal(
      [mask.updated, updatedOf(off), updatedOf(renamed)].toSorted(),
    );
  });

  it("store the suggestion that they were created from, and no other field of the request", async () => {
    const metadata = { suggestionId: "s1", suggestionCategory: "Shopping", other: "x", nested: { a: 1 } };
    const mask = await create({
      description: "Suggested",
      metadata,
      id: "mine",
      userId: "somebody",
      statistics: {},
    });
    expect(mask.metadata).to.deep.equal({ suggestionId: "s1", suggestionCategory: "Shopping" });
    expect(mask.id).not.to.equal("mine");
    const long = { description: "x", metadata: { suggestionId: "x".repeat(201) } };
    expect((await user.call("POST", "/masks", { body: long })).status).to.equal(400);
  });

  it("are refused with a message for each invalid field", async () => {
    const cases = [
      [{}, "description", "Description is required"],
      [{ description: "  " }, "description", "Description is required"],
      [{ description: "x".repeat(201) }, "description", "Description must be 200 characters or less."],
      [{ description: "x", forwardTo: "nobody" }, "forwardTo", "Please enter a valid email address"],
      [
        { description: "x", customPrefix: "a b" },
        "customPrefix",
        "Custom prefix can only contain letters, numbers, underscores, periods, and hyphens.",
      ],
      [
        { description: "x", customPrefix: "a".repeat(17) },
        "customPrefix",
        "Custom prefix must be 16 characters or less.",
      ],
    ] as const;
    for (const [body, field, message] of cases) {
      const { status, json } = await user.call("POST", "/masks", { body });
      expect(status, message).to.equal(400);
      expect(json).to.deep.equal({ message, errors: [{ field, message }] });
    }
    expect(await list()).to.have.length(0);
  });

  it("of another user answer with the same 404 as a mask that never existed", async () => {
    const { id } = await create({ description: "Private" });
    const stranger = await server.signIn("stranger@example.org");
    for (const path of [
      `/masks/${id}`,
      "/masks/AAAAAAAAAAAAAAAAAAAA",
      `/masks/${"a".repeat(500)}`,
      "/masks/%00",
    ])
      for (const [method, body] of [
        ["GET", undefined],
        ["PUT", { active: false }],
        ["DELETE", undefined],
      ] as const) {
        const { status, json } = await stranger.call(method, path, { body });
        expect(status, `${method} ${path}`).to.equal(404);
        expect(json).to.deep.equal(notFound);
      }
    expect((await stranger.call("GET", `/masks/${id}/stats`)).json).to.deep.equal(notFound);
    expect((await list())[0]).to.deep.include({ id, active: true });
    expect(await list(stranger)).to.deep.equal([]);
  });

  it("free a place in the plan when they are deleted, while their addresses stay reserved for ever", async () => {
    const first = await create({ description: "one" });
    await create({ description: "two" });
    expect((await user.call("POST", "/masks", { body: { description: "three" } })).status).to.equal(403);
    expect((await user.call("DELETE", `/masks/${first.id}`)).status).to.equal(200);
    expect((await user.call("DELETE", `/masks/${first.id}`)).json).to.deep.equal(notFound);
    await create({ description: "three" });
    server.clock.advance(31 * 24 * 3_600_000);
    await pruneAll(server.database, server.clock.now());
    const { mask_id } = await server.database.db
      .selectFrom("mask_addresses")
      .selectAll()
      .where("email_key", "=", mailboxKey(first.maskEmail))
      .executeTakeFirstOrThrow();
    expect(mask_id).to.equal(null);
  });

  it("announce every change to the user's pages, in the transaction of the change", async () => {
    const { id } = await create({ description: "Shop" });
    await edit(id, { active: false });
    await user.call("DELETE", `/masks/${id}`);
    await user.call("DELETE", `/masks/${id}`);
    const events = await server.database.db
      .selectFrom("events")
      .where("user_id", "!=", bystander.id)
      .select(["resource", "resource_id", "action"])
      .where("resource", "=", "masks")
      .orderBy("id")
      .execute();
    expect(events).to.deep.equal(
      ["created", "updated", "deleted"].map((action) => ({ resource: "masks", resource_id: id, action })),
    );
  });
});
