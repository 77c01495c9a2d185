import { expect } from "chai";
import { loadConfiguration } from "../../../web/app/loadConfiguration.ts";
import { createFakePorts } from "../../fakes/fakePorts.ts";

describe("The configuration", () => {
  it("is fetched from the server without a session", async () => {
    const { ports, server } = createFakePorts();
    server.on("GET", "/config.json", { json: { brand: "Larva", maskDomain: "m.example", flags: {} } });
    const answer = await loadConfiguration(ports, "");
    expect(answer).to.deep.equal({
      _tag: "Right",
      right: { brand: "Larva", maskDomain: "m.example", flags: {} },
    });
  });

  it("is fetched from another server where the page names one (D3)", async () => {
    const { ports, server } = createFakePorts();
    await loadConfiguration(ports, "https://mail.example.org/");
    expect(server.requests.map(({ url }) => url)).to.deep.equal(["https://mail.example.org/config.json"]);
  });

  it("is taken from the page without a request, unless the page is for another server or cannot be read", async () => {
    const configuration = { brand: "Larva", maskDomain: "m.example" };
    const { ports, server } = createFakePorts();
    server.on("GET", "/config.json", { json: { brand: "Moretta", maskDomain: "m.example" } });
    const right = async (...[address, inPage]: [string, string]): Promise<unknown> => {
      const answer = await loadConfiguration(ports, address, inPage);
      return answer._tag === "Right" && [answer.right.brand, server.requests.length];
    };
    expect(await right("", JSON.stringify(configuration))).to.deep.equal(["Larva", 0]);
    expect(await right("/bauta", JSON.stringify(configuration))).to.deep.equal(["Larva", 0]);
    expect(await right("", '{"brand":')).to.deep.equal(["Moretta", 1]);
    expect(await right("", "{}")).to.deep.equal(["Moretta", 2]);
    server.on("GET", "https://mail.example.org/config.json", {
      json: { brand: "Larva", maskDomain: "m.example" },
    });
    await loadConfiguration(ports, "https://mail.example.org", JSON.stringify(configuration));
    expect(server.requests.length).to.equal(3);
  });

  for (const [what, answer] of [
    ["no network", "unreachable"],
    ["a page instead of it", { text: "<html>" }],
    ["a server that is down", { status: 503 }],
  ] as const) {
    it(`fails without a crash on ${what} (SE10)`, async () => {
      const { ports, server } = createFakePorts();
      server.on("GET", "/config.json", answer);
      expect((await loadConfiguration(ports, ""))._tag).to.equal("Left");
    });
  }

  it("comes from the cache after at most 3 s when there is no network", async () => {
    const { ports, server, clock } = createFakePorts();
    const served = { brand: "Larva", maskDomain: "m.example" };
    server.on("GET", "/config.json", { json: served });
    await loadConfiguration(ports, "");
    for (const answer of ["unreachable", "silent"] as const) {
      server.on("GET", "/config.json", answer);
      const outcome = loadConfiguration(ports, "");
      await clock.advance(3_000);
      expect(await outcome).to.deep.equal({ _tag: "Right", right: served });
    }
  });

  it("is replaced once the server sends a different one", async () => {
    const { ports, server } = createFakePorts();
    for (const brand of ["Larva", "Moretta"]) {
      server.on("GET", "/config.json", { json: { brand, maskDomain: "m.example" } });
      expect(await loadConfiguration(ports, "")).to.have.nested.property("right.brand", brand);
    }
  });

  it("times out after 15 s (RQ5)", async () => {
    const { ports, server, clock } = createFakePorts();
    server.on("GET", "/config.json", "silent");
    let outcome = "";
    void loadConfiguration(ports, "").then(({ _tag }) => {
      outcome = _tag;
    });
    await clock.advance(14_999);
    expect(outcome).to.equal("");
    await clock.advance(1);
    expect(outcome).to.equal("Left");
  });
});
