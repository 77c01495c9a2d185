import { expect } from "chai";
import { cryptoRandom } from "../../../../adapters/system/clockAndRandom.ts";
import type { Domain } from "../../../../core/domains/domain.ts";
import {
  createCheckSubdomainName,
  reportReservedSubdomains,
} from "../../../../server/features/domains/subdomainNames.ts";
import type { NameResolver } from "../../../../server/platform/dns/dnsResolver.ts";
import { named } from "../../../support/domainNames.ts";
import { bystander } from "../../support/bystander.ts";
import { onEachDatabase } from "../../support/databases.ts";
import { startDnsStub } from "../../support/dnsStub.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { addDomain, addMask, addOwner, type Owner } from "../../support/owners.ts";
import { secrets } from "../../support/secrets.ts";
import { startServer } from "../../support/startServer.ts";
import { setTier } from "../../support/tier.ts";

type Records = Partial<Readonly<Record<"A" | "AAAA" | "CNAME" | "NS" | "MX", readonly string[]>>>;

/** A resolver whose zone has a wildcard: names that it does not know have the records of "*". */
const resolverOf = (zone: Readonly<Record<string, Records | "SERVFAIL">>): NameResolver => {
  const find = async (name: string, type: keyof Records): Promise<string[]> => {
    const records = zone[name.replace(/\.masks\.example$/, "")] ?? zone["*"];
    if (records === "SERVFAIL") throw Object.assign(new Error("fails"), { code: "ESERVFAIL" });
    const found = records?.[type];
    if (!found) throw Object.assign(new Error("none"), { code: records ? "ENODATA" : "ENOTFOUND" });
    return [...found];
  };
  return {
    resolve4: (name) => find(name, "A"),
    resolve6: (name) => find(name, "AAAA"),
    resolveCname: (name) => find(name, "CNAME"),
    resolveNs: (name) => find(name, "NS"),
    resolveMx: async (name) => (await find(name, "MX")).map((exchange) => ({ exchange })),
  };
};

const options = {
  maskDomain: named("masks.example"),
  hosts: ["page.masks.example", "in.deep.MASKS.example.", "mail.example", "masks.example"],
};

const stateOf = (label: string, zone: Readonly<Record<string, Records | "SERVFAIL">>): Promise<string> =>
  createCheckSubdomainName({ dns: resolverOf(zone), random: cryptoRandom }, options)(label);

describe("The names of sub-domains that may be claimed", () => {
  const wildcard: Records = { MX: ["masks.example"], A: ["192.0.2.1", "192.0.2.2"] };

  it("are none of the installation's hosts, nor above one, nor those of services", async () => {
    for (const label of [
      "page",
      "deep",
      "www",
      "mx",
      "mx3",
      "ns-2",
      "imap",
      "autoconfig",
      "mta-sts",
      "admin",
    ])
      expect(await stateOf(label, {}), label).to.equal("reserved");
    for (const label of ["mail1st", "mine", "pages"])
      expect(await stateOf(label, {}), label).to.equal("free");
  });

  it("are those that DNS does not know, or answers as any name under a wildcard", async () => {
    expect(await stateOf("mine", {})).to.equal("free");
    expect(await stateOf("mine", { "*": wildcard })).to.equal("free");
    expect(await stateOf("mine", { "*": wildcard, mine: { ...wildcard, A: ["192.0.2.2"] } })).to.equal(
      "free",
    );
    expect(await stateOf("mine", { mine: { MX: ["MASKS.example."] } }), "made for it").to.equal("free");
  });

  const used: Readonly<Record<string, Records>> = {
    "an address": { A: ["192.0.2.9"], MX: ["masks.example"] },
    "an IPv6 address": { AAAA: ["2001:db8::9"], MX: ["masks.example"] },
    "an alias": { CNAME: ["elsewhere.example"], MX: ["masks.example"] },
    "a zone of its own": { NS: ["ns.elsewhere.example"], MX: ["masks.example"] },
    "another mail server": { MX: ["mx.elsewhere.example"] },
    "records that hide the wildcard": {},
  };
  for (const [what, records] of Object.entries(used))
    it(`are none with ${what}`, async () => {
      expect(await stateOf("mine", { "*": wildcard, mine: records })).to.equal("in use");
    });

  it("are unknown while DNS does not answer", async () => {
    expect(await stateOf("mine", { mine: "SERVFAIL" })).to.equal("unknown");
    expect(await stateOf("mine", { "*": "SERVFAIL" })).to.equal("unknown");
  });

  it("are checked when a user claims one", async () => {
    const dns = await startDnsStub({
      "used.masks.test": { A: ["192.0.2.9"] },
      "silent.masks.test": "SERVFAIL",
    });
    const server = await startServer({ dnsServer: dns.address, publicUrl: "https://page.masks.test" });
    try {
      const user = await server.signIn("owner@example.org");
      await setTier(server.database, "owner@example.org", "business");
      const claim = async (label: string) => {
        const { status, json } = await user.call("POST", "/domains", { body: { label } });
        return [status, (json as { message?: string }).message];
      };
      const reserved = "This name is reserved. Choose another one.";
      expect(await claim("page")).to.deep.equal([400, reserved]);
      expect(await claim("mx2")).to.deep.equal([400, reserved]);
      expect(await claim("used")).to.deep.equal([400, "DNS has a host with this name. Choose another one."]);
      expect((await claim("silent"))[0]).to.equal(503);
      const { json } = await user.call("POST", "/domains", { body: { label: "mine" } });
      expect((json as Domain).name).to.equal("mine.masks.test");
      for (const localPart of ["admin", "Hostmaster", "postmaster", "security", "news"]) {
        const body = { description: "x", domain: "mine.masks.test", localPart };
        const refused = await user.call("POST", "/masks", { body });
        expect([refused.status, refused.json], localPart).to.deep.equal([400, refused.json]);
        expect(refused.json).to.have.nested.property("errors[0].field", "localPart");
      }
    } finally {
      await server.stop();
      await dns.close();
    }
  });
});

describe("Mail for the operator at a user's sub-domain", () => {
  onEachDatabase(({ database }) => {
    let owner: Owner;
    let relay: RunningListener;

    beforeEach(async () => {
      owner = await addOwner(database().db, "business");
      relay = await startListener(database(), undefined, { secrets });
      await addDomain(database().db, owner, { kind: "sub", catch_all: "all" }, "mine.masks.example");
      await addDomain(database().db, owner, { catch_all: "all" });
    });
    afterEach(() => relay.close());

    const send = async (to: string): Promise<string> =>
      (await relay.connect()).mail("ca@sender.example", [to], "From: ca@sender.example\r\n\r\nx\r\n");
    const recipients = async (): Promise<readonly string[]> =>
      (
        await database()
          .db.selectFrom("queue")
          .where("user_id", "is distinct from", bystander.id)
          .select("recipient")
          .execute()
      ).map(({ recipient }) => recipient);

    it("never reaches the user, by a mask from before or by one that mail would make", async () => {
      await addMask(database().db, owner, { email: "admin@mine.masks.example" });
      await addMask(database().db, owner, { email: "abuse@mine.masks.example" });
      for (const name of ["admin", "Administrator", "webmaster", "hostmaster", "ssladmin", "security", "noc"])
        expect(await send(`${name}@mine.masks.example`), name).to.match(/^550 5\.1\.1/);
      expect(await recipients()).to.deep.equal([]);
      for (const name of ["postmaster", "Abuse", '"postmaster"'])
        expect(await send(`${name}@mine.masks.example`), name).to.match(/^250/);
      expect(await recipients()).to.deep.equal(Array(3).fill("postmaster@masks.example"));
    });

    it("of services reaches a mask from before, and makes none", async () => {
      await addMask(database().db, owner, { email: "news@mine.masks.example" });
      expect(await send("news@mine.masks.example")).to.match(/^250/);
      expect(await send("sales@mine.masks.example")).to.match(/^550 5\.1\.1/);
      expect(await send("shop@mine.masks.example")).to.match(/^250/);
      expect(await send("admin@own.example"), "at the user's own domain").to.match(/^250/);
    });

    it("is told at the start where masks and claims are from before", async () => {
      const warned: string[] = [];
      const log = {
        warn: (fields: object, message: string) => warned.push(`${JSON.stringify(fields)} ${message}`),
      };
      await addMask(database().db, owner, { email: "admin@mine.masks.example" });
      await addMask(database().db, owner, { email: "admin@own.example" });
      await addDomain(database().db, await addOwner(database().db), { kind: "sub" }, "page.masks.example");
      await reportReservedSubdomains(database(), options, log);
      expect(warned).to.have.length(2);
      expect(warned[0]).to.match(/^\{"names":\["page\.masks\.example"\]\}/);
      expect(warned[1]).to.match(/^\{"masks":1\}/);
    });
  });
});
