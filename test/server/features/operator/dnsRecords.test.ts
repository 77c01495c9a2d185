import { expect } from "chai";
import { checkDns } from "../../../../server/features/operator/dnsChecks.ts";
import {
  type DnsSetup,
  dnsRecords,
  toProviderForm,
  toZoneFile,
} from "../../../../server/features/operator/dnsRecords.ts";
import type { DnsResolver } from "../../../../server/platform/dns/dnsResolver.ts";
import { named } from "../../../support/domainNames.ts";

const setup: DnsSetup = {
  maskDomain: named("m.example.org"),
  publicUrl: "https://app.example.org",
  addresses: ["192.0.2.7", "2001:db8::7"],
  dkim: [{ name: "b1r._domainkey.m.example.org", value: `v=DKIM1; k=rsa; p=${"A".repeat(300)}` }],
  deliversItself: true,
  hasSubdomains: true,
  receivesElsewhere: false,
};

const missing = (): Promise<never> => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" }));
const silent = (): Promise<never> => Promise.reject(Object.assign(new Error(), { code: "ETIMEOUT" }));

/** A resolver with exactly the planned records. */
const perfect: DnsResolver = {
  resolve4: async () => ["192.0.2.7"],
  resolve6: async () => ["2001:db8::7"],
  resolveMx: async () => [{ exchange: "M.example.org.", priority: 10 }],
  resolveTxt: async (name) =>
    dnsRecords(setup).flatMap((record) =>
      record.name === name && record.type === "TXT" ? [record.value.match(/.{1,255}/g) ?? []] : [],
    ),
  reverse: async () => ["m.example.org"],
};

describe("The DNS records of an installation", () => {
  it("are printed as a zone file, with long texts in parts, and as a provider's form", () => {
    const zone = toZoneFile(dnsRecords(setup));
    expect(zone).to.include.members([
      "app.example.org. 3600 IN A 192.0.2.7",
      "m.example.org. 3600 IN AAAA 2001:db8::7",
      "m.example.org. 3600 IN MX 10 m.example.org.",
      "*.m.example.org. 3600 IN MX 10 m.example.org.",
      'm.example.org. 3600 IN TXT "v=spf1 mx -all"',
      'm.example.org. 3600 IN TXT "v=spf1 mx -all"',
      "mta-sts.m.example.org. 3600 IN CNAME m.example.org.",
    ]);
    const dkim = zone.find((line) => line.startsWith("b1r._domainkey")) ?? "";
    for (const part of dkim.match(/"[^"]*"/g) ?? []) expect(part.length).to.be.at.most(257);
    const form = toProviderForm(dnsRecords(setup), "example.org");
    expect(form).to.deep.include({
      name: "m",
      type: "MX",
      value: "m.example.org",
      priority: "10",
      why: "brings the masks' mail here",
    });
  });

  it("lead to the service that hands mail over, with no policy that names this machine", async () => {
    const elsewhere = { ...setup, receivesElsewhere: true };
    const records = dnsRecords(elsewhere);
    const valuesOf = (type: string) => records.filter((one) => one.type === type).map(({ value }) => value);
    expect(new Set(valuesOf("MX"))).to.deep.equal(new Set(["10 <the mail server of your service>"]));
    expect(valuesOf("TXT")).to.include("v=spf1 a -all");
    expect(records.filter(({ name }) => /mta-sts|_tls/.test(name))).to.deep.equal([]);
    const stateWith = async (exchange: string) => {
      const dns = { ...perfect, resolveMx: async () => [{ exchange, priority: 1 }] };
      const checks = await checkDns(dns, elsewhere);
      return checks.find(({ name }) => name === "MX of m.example.org")?.state;
    };
    expect(await stateWith("route1.mx.cloudflare.net")).to.equal("ok");
    expect(await stateWith("m.example.org"), "this machine").to.equal("problem");
  });

  it("send reports of DMARC to an address in the domain itself, which needs nobody's consent (RFC 7489, 7.1)", () => {
    const dmarcOf = (changed: Partial<DnsSetup>) =>
      dnsRecords({ ...setup, ...changed }).find(({ name }) => name === "_dmarc.m.example.org")?.value;
    expect(dmarcOf({})).to.match(/; rua=mailto:dmarc-reports@m\.example\.org$/);
  });

  it("are all correct when DNS has them", async () => {
    const checks = await checkDns(perfect, setup);
    expect(checks.filter(({ state }) => state !== "ok")).to.deep.equal([]);
    expect(checks).to.have.lengthOf(dnsRecords(setup).length + setup.addresses.length);
  });

  it("are reported with instructions when they are missing or wrong", async () => {
    const checks = await checkDns(
      {
        ...perfect,
        resolveMx: async () => [{ exchange: "mail.other.example", priority: 5 }],
        resolveTxt: missing,
        reverse: missing,
      },
      setup,
    );
    const mx = checks.find(({ name }) => name === "MX of m.example.org");
    expect(mx).to.deep.equal({
      name: "MX of m.example.org",
      state: "problem",
      is: "mail.other.example",
      advice: "Create the record m.example.org MX 10 m.example.org",
    });
    const states = new Map(checks.map(({ name, state }) => [name.split(" ")[0], state]));
    expect([states.get("SPF"), states.get("DMARC"), states.get("DKIM"), states.get("PTR")]).to.deep.equal(
      Array(4).fill("problem"),
    );
    expect(states.get("MTA-STS")).to.equal("warning");
  });

  it("are not reported as wrong while DNS does not answer", async () => {
    const all = {
      resolve4: silent,
      resolve6: silent,
      resolveMx: silent,
      resolveTxt: silent,
      reverse: silent,
    };
    const checks = await checkDns(all, setup);
    expect(new Set(checks.map(({ state }) => state))).to.deep.equal(new Set(["unknown"]));
  });

  it("are reported as wrong when there are two SPF records", async () => {
    const twice: DnsResolver = {
      ...perfect,
      resolveTxt: async () => [["v=spf1 a -all"], ["v=spf1 mx -all"]],
    };
    const spf = (await checkDns(twice, setup)).find(({ name }) => name.startsWith("SPF"));
    expect(spf).to.include({ state: "problem", is: "2 records" });
  });

  it("are reported as wrong while a placeholder stands in them", async () => {
    const record = "v=spf1 mx include:<your mail provider's SPF domain> -all";
    const copied: DnsResolver = { ...perfect, resolveTxt: async () => [[record]] };
    const spf = (await checkDns(copied, setup)).find(({ name }) => name.startsWith("SPF"));
    expect(spf).to.deep.equal({
      name: "SPF of m.example.org",
      state: "problem",
      is: record,
      advice: "Replace <your mail provider's SPF domain>: the record does not count as it is",
    });
  });
});
