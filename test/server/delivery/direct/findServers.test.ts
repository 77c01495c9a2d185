import { expect } from "chai";
import { createFindServers, type FoundServers } from "../../../../server/delivery/direct/findServers.ts";
import { createDnsCache } from "../../../../server/platform/dns/dnsCache.ts";
import { createDnsClient } from "../../../../server/platform/dns/dnsClient.ts";
import { isPublicAddress } from "../../../../server/platform/dns/networkRanges.ts";
import { type DnsStub, startDnsStub, type Zone } from "../../support/dnsStub.ts";

describe("The mail servers of a domain", () => {
  let dns: DnsStub;
  const fractions: number[] = [];

  beforeEach(async () => {
    dns = await startDnsStub({});
    fractions.length = 0;
  });
  afterEach(() => dns.close());

  const find = (domain: string, zone: Zone): Promise<FoundServers> => {
    dns.zone = zone;
    return createFindServers({
      lookUp: createDnsCache(createDnsClient(dns.address), Date),
      random: { fraction: () => fractions.shift() ?? 0 },
      isOwnName: (name) => name === "masks.example",
      isOwnAddress: (address) => address === "9.9.9.9",
      isAllowed: isPublicAddress,
    })(domain);
  };
  const inShort = async (domain: string, zone: Zone): Promise<readonly string[] | string> => {
    const found = await find(domain, zone);
    return found.kind === "found"
      ? found.servers.map(({ name, addresses }) => `${name} ${addresses.join(" ")}`)
      : `${found.kind} ${found.answer}`;
  };

  it("are tried by priority, IPv6 before IPv4", async () => {
    const servers = await inShort("a.example", {
      "a.example": { MX: ["20 b.a.example", "10 A.a.example."] },
      "a.a.example": { A: ["1.1.1.1"], AAAA: ["2600::1"] },
      "b.a.example": { A: ["1.1.1.2"] },
    });
    expect(servers).to.deep.equal(["a.a.example 2600::1 1.1.1.1", "b.a.example 1.1.1.2"]);
  });

  it("of equal priority have a random order", async () => {
    const zone: Zone = {
      "a.example": { MX: ["10 x.a.example", "10 y.a.example"] },
      "x.a.example": { A: ["1.1.1.1"] },
      "y.a.example": { A: ["1.1.1.2"] },
    };
    fractions.push(0.1, 0.9);
    expect(await inShort("a.example", zone)).to.deep.equal(["x.a.example 1.1.1.1", "y.a.example 1.1.1.2"]);
    fractions.push(0.9, 0.1);
    expect(await inShort("a.example", zone)).to.deep.equal(["y.a.example 1.1.1.2", "x.a.example 1.1.1.1"]);
  });

  it("are the domain itself when it has an address and no MX", async () => {
    expect(await inShort("a.example", { "a.example": { A: ["1.1.1.1"] } })).to.deep.equal([
      "a.example 1.1.1.1",
    ]);
    expect(await inShort("six.example", { "six.example": { AAAA: ["2600::1"] } })).to.deep.equal([
      "six.example 2600::1",
    ]);
  });

  it("are found behind aliases, of the domain and of a server", async () => {
    const servers = await inShort("alias.example", {
      "alias.example": { CNAME: ["a.example"] },
      "a.example": { MX: ["10 mx.a.example"] },
      "mx.a.example": { CNAME: ["real.a.example"] },
      "real.a.example": { A: ["1.1.1.1"] },
    });
    expect(servers).to.deep.equal(["mx.a.example 1.1.1.1"]);
  });

  it("are an address that the recipient names, if it is public", async () => {
    expect(await inShort("[1.1.1.1]", {})).to.deep.equal(["1.1.1.1 1.1.1.1"]);
    expect(await inShort("[IPv6:2600::1]", {})).to.deep.equal(["2600::1 2600::1"]);
    for (const refused of [
      "[127.0.0.1]",
      "[10.1.2.3]",
      "[IPv6:::1]",
      "[IPv6:fd00::1]",
      "[IPv6:::ffff:10.1.2.3]",
      "[IPv6:::ffff:a01:203]",
      "[9.9.9.9]",
      "[localhost]",
      "[",
    ])
      expect(await inShort(refused, {}), refused).to.match(/^permanent 550 5\.1\.2/);
    expect(await inShort("[1.1]", {})).to.match(/^permanent 550 5\.1\.2/);
  });

  it("do not include those without an address or with a private one", async () => {
    const servers = await inShort("a.example", {
      "a.example": { MX: ["5 gone.a.example", "6 inside.a.example", "10 mx.a.example"] },
      "inside.a.example": { A: ["10.0.0.1", "127.0.0.1"] },
      "mx.a.example": { A: ["192.168.0.1", "1.1.1.1"] },
    });
    expect(servers).to.deep.equal(["mx.a.example 1.1.1.1"]);
  });

  it("are only those before this one", async () => {
    const zone: Zone = {
      "a.example": { MX: ["5 mx.a.example", "10 masks.example", "10 same.a.example", "20 last.a.example"] },
      "byAddress.example": {},
      "mx.a.example": { A: ["1.1.1.1"] },
      "masks.example": { A: ["1.1.1.2"] },
      "same.a.example": { A: ["1.1.1.3"] },
      "last.a.example": { A: ["1.1.1.4"] },
    };
    expect(await inShort("a.example", zone)).to.deep.equal(["mx.a.example 1.1.1.1"]);
  });

  for (const [why, zone, result] of [
    ["does not exist", {}, "permanent 550 5.1.2"],
    ["has a null MX", { "a.example": { MX: ["0 ."], A: ["1.1.1.1"] } }, "permanent 556 5.1.10"],
    ["has neither MX nor address", { "a.example": { TXT: ["x"] } }, "permanent 550 5.4.4"],
    ["has no server with an address", { "a.example": { MX: ["1 no.a.example"] } }, "permanent 550 5.4.4"],
    [
      "has private servers only",
      { "a.example": { MX: ["1 m.a.example"] }, "m.a.example": { A: ["10.0.0.1"] } },
      "permanent 550 5.4.4 The mail servers of the domain have no public address",
    ],
    [
      "leads back to this server by name",
      { "a.example": { MX: ["1 masks.example"] }, "masks.example": { A: ["1.1.1.1"] } },
      "permanent 550 5.4.6",
    ],
    [
      "leads back to this server by address",
      { "a.example": { MX: ["1 m.a.example"] }, "m.a.example": { A: ["9.9.9.9"] } },
      "permanent 550 5.4.6",
    ],
    ["has DNS that fails", { "a.example": "SERVFAIL" }, "temporary 451 4.4.3"],
    [
      "has servers whose DNS fails",
      { "a.example": { MX: ["1 m.a.example"] }, "m.a.example": "SERVFAIL" },
      "temporary 451 4.4.3",
    ],
  ] as const satisfies readonly (readonly [string, Zone, string])[])
    it(`say why there are none when the domain ${why}`, async () => {
      expect((await inShort("a.example", zone)).slice(0, result.length)).to.equal(result);
    });

  it("count as protected when DNSSEC protects their names and all addresses", async () => {
    const zone: Zone = {
      "a.example": { MX: ["10 mx.a.example", "20 mx.other.example"] },
      "mx.a.example": { A: ["1.1.1.1"] },
      "mx.other.example": { A: ["1.1.1.2"] },
    };
    dns.authentic = ["a.example"];
    const found = await find("a.example", zone);
    expect(found.kind === "found" && found.servers.map(({ isAuthentic }) => isAuthentic)).to.deep.equal([
      true,
      false,
    ]);
  });
});
