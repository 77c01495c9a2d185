import { expect } from "chai";
import type { Domain } from "../../../../core/domains/domain.ts";
import type { DomainList } from "../../../../core/domains/domainEndpoints.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { createSigningKeys } from "../../../../server/features/domains/domainKeys.ts";
import type { Client } from "../../support/client.ts";
import { type DnsStub, startDnsStub } from "../../support/dnsStub.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";
import { zoneOf } from "./zones.ts";

for (const store of everyStore)
  describe(`The domains of a user, on ${store.name}`, () => {
    let server: TestServer;
    let dns: DnsStub;
    let user: Client;

    before(requireStore(store));
    beforeEach(async () => {
      dns = await startDnsStub({});
      server = await startServer({ store, dnsServer: dns.address });
      user = await server.signIn("owner@example.org");
      await setTier(server.database, "owner@example.org", "business");
    });
    afterEach(async () => {
      await server?.stop();
      await dns?.close();
    });

    const add = async (body: object, client = user): Promise<Domain> => {
      const { json, status, text } = await client.call("POST", "/domains", { body });
      expect(status, text).to.equal(201);
      return json as Domain;
    };
    const list = async (client = user): Promise<DomainList> =>
      (await client.call("GET", "/domains")).json as DomainList;
    /** Checks a domain some time after its last check. */
    const check = async ({ id }: Domain, client = user, laterMs = 10_000): Promise<Domain> => {
      server.clock.advance(laterMs);
      return (await client.call("POST", `/domains/${id}/check`)).json as Domain;
    };
    const prove = async (name: string, client = user): Promise<Domain> => {
      const domain = await add({ name }, client);
      dns.zone = { ...dns.zone, ...zoneOf(domain) };
      return check(domain, client);
    };
    const stateOf = ({ records }: Domain, purpose: string) =>
      records.find((record) => record.purpose === purpose)?.state;
    const messages = async (client = user): Promise<readonly string[]> =>
      (
        (await client.call("GET", "/notifications?limit=50")).json as { notifications: { message: string }[] }
      ).notifications.map(({ message }) => message);

    it("wait for their proof with the records to make, and are ready when DNS has them", async () => {
      const added = await add({ name: "@Bücher.example." });
      expect(added).to.include({
        name: "xn--bcher-kva.example",
        shownName: "bücher.example",
        kind: "own",
        state: "waiting",
        masks: 0,
      });
      expect(added.records.map(({ purpose, state }) => [purpose, state])).to.deep.equal([
        ["proof", "problem"],
        ["mail", "problem"],
        ["dkim", "problem"],
        ["spf", "warning"],
        ["dmarc", "warning"],
      ]);
      dns.zone = zoneOf(added, ["proof"]);
      const proven = await check(added);
      expect([proven.state, stateOf(proven, "proof"), stateOf(proven, "mail")]).to.deep.equal([
        "incomplete",
        "ok",
        "problem",
      ]);
      dns.zone = zoneOf(added);
      const ready = await check(added);
      expect(ready.state).to.equal("ready");
      expect(ready.records.map(({ state }) => state)).to.deep.equal(Array(5).fill("ok"));
      expect((await list()).domains).to.deep.equal([ready]);
    });

    it("are no place where masks may forward to, nor where an account may have its address", async () => {
      await prove("shop.example");
      const answers = [
        await user.call("POST", "/masks", { body: { description: "Loop", forwardTo: "me@shop.example" } }),
        await user.call("PUT", "/account/profile", { body: { email: "me@shop.example" } }),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([400, 400]);
      const [forward, move] = answers.map(({ json }) => (json as { message: string }).message);
      expect(forward).to.match(/cannot forward to another mask/);
      expect(move).to.match(/A mask cannot be the address/);
      const added = await user.call("POST", "/masks", {
        body: { description: "Other", forwardTo: "me@else.example" },
      });
      expect(added.status).to.be.below(300);
    });

    it("are asked of DNS once for checks that follow each other at once", async () => {
      const added = await add({ name: "shop.example" });
      const { length } = dns.queries;
      await check(added, user, 0);
      expect(dns.queries.length).to.equal(length);
      await check(added);
      expect(dns.queries.length).to.be.above(length);
    });

    const refusals: Readonly<Record<string, readonly [body: object, status: number, message: RegExp]>> = {
      "without a dot": [{ name: "example" }, 400, /such as example\.com/],
      "a web address": [{ name: "https://shop.example/" }, 400, /such as example\.com/],
      "a public suffix": [{ name: "co.uk" }, 400, /shared by many people/],
      "a host of many people": [{ name: "github.io" }, 400, /shared by many people/],
      "the installation's own": [{ name: "masks.test" }, 400, /belongs to this installation/],
      "a part of the installation's": [{ name: "mine.masks.test" }, 400, /Claim a subdomain/],
      "the account's own mailbox": [
        { name: "example.org" },
        400,
        /would come back here.*masks\.example\.org/,
      ],
      "both kinds": [{ name: "shop.example", label: "mine" }, 400, /either/],
      "a reserved name": [{ label: "postmaster" }, 400, /reserved/],
      "a short name": [{ label: "ab" }, 400, /3 to 30/],
      "a name with a dot": [{ label: "a.b.c" }, 400, /letters a to z/],
    };
    for (const [what, [body, status, message]] of Object.entries(refusals))
      it(`are refused for ${what}`, async () => {
        const answer = await user.call("POST", "/domains", { body });
        expect([answer.status, (answer.json as { message: string }).message]).to.deep.equal([
          status,
          message.exec((answer.json as { message: string }).message)?.input,
        ]);
      });

    it("sign the mail of their owner from the check on that finds their key", async () => {
      const signingKeys = createSigningKeys(server.context, async () => []);
      const signers = async () => (await signingKeys()).map(({ domain }) => domain);
      const domain = await add({ name: "own.example" });
      expect(await signers()).to.deep.equal([]);
      dns.zone = zoneOf(domain);
      expect(stateOf(await check(domain), "dkim")).to.equal("ok");
      expect(await signers(), "once it is published").to.deep.equal(["own.example"]);
      dns.zone = zoneOf(domain, ["proof", "mail"]);
      expect(stateOf(await check(domain), "dkim")).to.equal("problem");
      expect(await signers(), "once its record is gone").to.deep.equal([]);
    });

    it("belong to the account that proves them, though two have added the same", async () => {
      const other = await server.signIn("other@example.org");
      const [mine, theirs] = [
        await add({ name: "shop.example" }),
        await add({ name: "shop.example" }, other),
      ];
      dns.zone = zoneOf(mine, ["proof"]);
      expect((await check(theirs, other)).state).to.equal("waiting");
      expect((await check(mine)).state).to.equal("incomplete");
      const both = zoneOf(theirs, ["proof"])["shop.example"] as { TXT: string[] };
      dns.zone = { "shop.example": { TXT: [...both.TXT, ...(dns.zone["shop.example"] as typeof both).TXT] } };
      const late = await check(theirs, other);
      expect([late.state, late.records[0]?.is]).to.deep.equal([
        "waiting",
        "another account has proven this domain",
      ]);
      const third = await server.signIn("third@example.org");
      const refused = await third.call("POST", "/domains", { body: { name: "shop.example" } });
      expect([refused.status, refused.text]).to.deep.equal([409, refused.text]);
    });

    it("change to the account that proves them once the proof of the first is gone", async () => {
      const mine = await prove("shop.example");
      const { json } = await user.call("POST", "/masks", {
        body: { description: "x", domain: "shop.example", localPart: "news" },
      });
      const other = await server.signIn("other@example.org");
      dns.zone = {};
      expect((await check(mine)).state).to.equal("lapsed");
      const theirs = await prove("shop.example", other);
      expect([theirs.state, (await list()).domains[0]?.state]).to.deep.equal(["ready", "waiting"]);
      expect((await user.call("GET", `/masks/${(json as Mask).id}`)).status).to.equal(404);
      expect((await messages())[0]).to.match(/Another account has proven.*Its mask is/);
      const restored = await user.call("POST", `/masks/${(json as Mask).id}/restore`);
      expect([restored.status, restored.text]).to.deep.equal([409, restored.text]);
      const again = await other.call("POST", "/masks", {
        body: { description: "x", domain: "shop.example", localPart: "news" },
      });
      expect([again.status, (again.json as Mask).maskEmail]).to.deep.equal([201, "news@shop.example"]);
    });

    it("keep their masks when the proof lapses, tell that once, and make no more after two weeks", async () => {
      const domain = await prove("shop.example");
      const create = (localPart: string) =>
        user.call("POST", "/masks", { body: { description: "x", domain: "shop.example", localPart } });
      const mask = (await create("first")).json as Mask;
      dns.zone = Object.fromEntries(Object.keys(dns.zone).map((name) => [name, "SERVFAIL"]));
      expect((await check(domain)).state, "while DNS does not answer").to.equal("ready");
      dns.zone = {};
      const lapsed = await check(domain);
      expect(lapsed.state).to.equal("lapsed");
      expect(Date.parse(lapsed.lapsedSince ?? "")).to.be.closeTo(server.clock.now(), 60_000);
      await check(domain);
      expect((await messages()).filter((text) => /is missing/.test(text))).to.have.length(1);
      expect((await create("second")).status).to.equal(201);
      server.clock.advance(15 * dayMs);
      user = await server.signIn("owner@example.org");
      expect((await create("third")).status).to.equal(400);
      expect((await user.call("GET", `/masks/${mask.id}`)).status).to.equal(200);
      dns.zone = zoneOf(domain);
      expect((await check(domain)).state).to.equal("ready");
      expect((await create("third")).status).to.equal(201);
    });

    it("give masks the name that their owner chooses, once, or a generated one", async () => {
      await prove("shop.example");
      const create = (body: object) =>
        user.call("POST", "/masks", { body: { description: "x", domain: "shop.example", ...body } });
      const named = await create({ localPart: "News.Letter" });
      expect((named.json as Mask).maskEmail).to.equal("News.Letter@shop.example");
      const taken = await create({ localPart: "news.letter" });
      expect([taken.status, taken.text]).to.deep.equal([409, taken.text]);
      expect((await create({ localPart: "a b" })).status).to.equal(400);
      const generated = await create({});
      expect((generated.json as Mask).maskEmail).to.match(/^[a-z0-9]{10}@shop\.example$/);
      expect((await list()).domains[0]?.masks).to.equal(2);
    });

    it("make no masks before their proof, nor for other accounts", async () => {
      await add({ name: "shop.example" });
      const other = await server.signIn("other@example.org");
      for (const client of [user, other]) {
        const answer = await client.call("POST", "/masks", {
          body: { description: "x", domain: "shop.example" },
        });
        expect([answer.status, answer.text]).to.deep.equal([400, answer.text]);
      }
    });

    it("are their owner's alone", async () => {
      const { id } = await prove("shop.example");
      const other = await server.signIn("other@example.org");
      const answers = await Promise.all([
        other.call("PATCH", `/domains/${id}`, { body: { catchAll: "all" } }),
        other.call("POST", `/domains/${id}/check`),
        other.call("DELETE", `/domains/${id}`),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
      expect((await list(other)).domains).to.deep.equal([]);
    });

    it("take settings, with a confirmed address of their owner", async () => {
      const { id } = await prove("shop.example");
      const patch = (body: object) => user.call("PATCH", `/domains/${id}`, { body });
      const change = {
        catchAll: "pattern",
        patterns: ["shop-*", "news"],
        approveFirst: true,
        destination: "owner@example.org",
      };
      await user.call("POST", "/masks", { body: { description: "x", forwardTo: "owner@example.org" } });
      expect((await patch(change)).json).to.deep.include(change);
      expect((await list()).domains[0]).to.deep.include(change);
      expect((await patch({ destination: null })).json).to.include({ destination: null });
      expect((await patch({ patterns: [] })).status).to.equal(400);
      expect((await patch({ patterns: ["a b"] })).status).to.equal(400);
      expect((await patch({ destination: "stranger@example.org" })).status).to.equal(400);
    });

    it("put their masks in the trash when they are removed, which can be restored with the domain", async () => {
      const { id } = await prove("shop.example");
      const mask = (
        await user.call("POST", "/masks", {
          body: { description: "x", domain: "shop.example", localPart: "news" },
        })
      ).json as Mask;
      expect((await user.call("DELETE", `/domains/${id}`)).status).to.equal(200);
      expect((await list()).domains).to.deep.equal([]);
      expect((await user.call("GET", `/masks/${mask.id}`)).status).to.equal(404);
      const restore = () => user.call("POST", `/masks/${mask.id}/restore`);
      expect((await restore()).status).to.equal(409);
      const several = await user.call("POST", "/masks/bulk", {
        body: { ids: [mask.id], change: { kind: "restore" } },
      });
      expect((several.json as { results: object[] }).results[0]).to.deep.include({
        id: mask.id,
        status: 409,
      });
      expect((await user.call("GET", `/masks/${mask.id}`)).status).to.equal(404);
      await prove("shop.example");
      expect((await restore()).json).to.include({ maskEmail: "news@shop.example" });
    });

    it("may be a sub-domain of the installation, whose name is never given to another account", async () => {
      dns.zone = { "mine.masks.test": { MX: ["10 masks.test"] } };
      const claimed = await add({ label: "Mine" });
      expect(claimed).to.include({ kind: "sub", name: "mine.masks.test", state: "ready" });
      expect(await list()).to.include({ subdomainsLeft: 0, under: "masks.test" });
      expect((await user.call("POST", "/domains", { body: { label: "second" } })).status).to.equal(403);
      await user.call("DELETE", `/domains/${claimed.id}`);
      const other = await server.signIn("other@example.org");
      expect((await other.call("POST", "/domains", { body: { label: "mine" } })).status).to.equal(409);
      await add({ label: "mine" });
      await user.call("DELETE", "/account", { body: { email: "owner@example.org" } });
      expect((await other.call("POST", "/domains", { body: { label: "mine" } })).status).to.equal(409);
    });

    it("belong to one account when several claim the same name at once", async () => {
      const clients = [user];
      for (const n of [1, 2, 3]) clients.push(await server.signIn(`one${n}@example.org`));
      const answers = await Promise.all(
        clients.map((client) => client.call("POST", "/domains", { body: { label: "mine" } })),
      );
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([201, 409, 409, 409]);
    });
  });
