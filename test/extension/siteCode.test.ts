import { expect } from "chai";
import type { MailCode } from "../../core/mail/mailCode.ts";
import { answerMessage } from "../../extension/background/messages.ts";
import { storedConnection } from "../../extension/connection/connection.ts";
import { createFakePorts } from "../fakes/fakePorts.ts";
import { createMask } from "../fakes/productServer.ts";
import { settled, startsAt } from "../fakes/virtualClock.ts";

const iso = (ms: number): string => new Date(startsAt + ms).toISOString();
let made = 0;
const codeOf = (maskId: string, code: string | undefined, more: Partial<MailCode> = {}): MailCode => {
  made += 1;
  return {
    id: `code-${made}`,
    maskId,
    receivedAt: iso(0),
    expiresAt: iso(600_000),
    sender: "shop.example",
    ...(code !== undefined && { code }),
    ...more,
  };
};

const open = (
  codes: Readonly<Record<string, readonly MailCode[]>>,
  scopes = ["codes:read"],
  isAllowed = true,
) => {
  const fakes = createFakePorts();
  const { ports, server, clock } = fakes;
  let known = codes;
  server.on("GET", "/masks", {
    json: {
      masks: [
        createMask("shop", { madeFor: "shop.example" }),
        createMask("bank", { madeFor: "bank.example" }),
      ],
    },
  });
  server.on("GET", "/masks/:id/codes", ({ params }) => ({
    json: { codes: known[params["id"] ?? ""] ?? [] },
  }));
  server.on("DELETE", "/masks/:id/codes/:codeId", { status: 204 });
  storedConnection(ports.storage).write({
    server: "https://mail.example.org",
    token: "bauta_t",
    tokenId: "t1",
    name: "Chrome",
    scopes: scopes as ["codes:read"],
  });
  const send = (kind: string, site: string, tab = 1): Promise<unknown> | undefined =>
    answerMessage(
      {
        ownId: "own",
        ports: async () => ({ ...ports, isStored: async () => true }),
        permissions: { contains: async () => isAllowed },
      },
      { kind, isCalled: false },
      {
        id: "own",
        tab: { id: tab, url: `https://${site}/` },
        frameId: 0,
        url: `https://${site}/`,
      },
    );
  const ask = async (site = "shop.example", tab = 1): Promise<unknown> => {
    const answer = send("code", site, tab);
    await settled();
    await clock.advance(20_000);
    return answer;
  };
  const arrive = (now: typeof codes): void => {
    known = now;
  };
  return { ...fakes, ask, send, arrive };
};

describe("The code of a site", () => {
  it("is the newest that has arrived at the mask of this site, and no other mask's", async () => {
    const { ask, server } = open({
      shop: [codeOf("shop", "111111"), codeOf("shop", "482199", { receivedAt: iso(5_000) })],
      bank: [codeOf("bank", "999999")],
    });
    expect(await ask("login.shop.example")).to.deep.equal({ code: "482199", sender: "shop.example" });
    expect(server.requests.filter(({ path }) => path.includes("bank"))).to.deep.equal([]);
  });

  it("is offered once, and deleted when it was filled in", async () => {
    const { ask, send, server } = open({ shop: [codeOf("shop", "482199")] });
    await ask();
    expect(await ask("shop.example", 2)).to.deep.equal({ isWaiting: true });
    await send("used", "shop.example", 2);
    expect(server.requests.filter(({ method }) => method === "DELETE")).to.deep.equal([]);
    await send("used", "shop.example");
    await send("used", "shop.example");
    await settled();
    expect(server.requests.filter(({ method }) => method === "DELETE")).to.have.lengthOf(1);
  });

  it("is offered on a device whose clock is wrong", async () => {
    const { ask, clock } = open({ shop: [codeOf("shop", "482199")] });
    await clock.advance(3_600_000);
    expect(await ask()).to.deep.equal({ code: "482199", sender: "shop.example" });
  });

  it("is none where the user has taken back the access to the site", async () => {
    const { ask, server } = open({ shop: [codeOf("shop", "482199")] }, ["codes:read"], false);
    expect(await ask()).to.deep.equal({});
    expect(server.requests).to.deep.equal([]);
  });

  it("is waited for", async () => {
    const { send, arrive, clock } = open({});
    const answer = send("code", "shop.example");
    await settled();
    await clock.advance(4_000);
    arrive({ shop: [codeOf("shop", "G-123456")] });
    await clock.advance(4_000);
    expect(await answer).to.deep.equal({ code: "G-123456", sender: "shop.example" });
  });

  for (const [what, code] of [
    ["markup", codeOf("shop", "<b>1</b>")],
    ["a text from right to left", codeOf("shop", "12\u202e3456")],
    ["a long text", codeOf("shop", "1".repeat(40))],
    ["several lines", codeOf("shop", "123\n456")],
    ["encrypted", codeOf("shop", undefined, { sealed: "wcB" })],
    ["a link alone", codeOf("shop", undefined, { link: "https://shop.example/confirm" })],
  ] as const)
    it(`is none that is ${what}`, async () => {
      expect(await open({ shop: [code] }).ask()).to.deep.equal({ isWaiting: true });
    });

  it("is none on a site without a mask, and without the right to codes, which asks nothing", async () => {
    expect(await open({}).ask("other.example")).to.deep.equal({});
    const without = open({}, ["masks:read"]);
    expect(await without.ask()).to.deep.equal({});
    expect(without.server.requests).to.deep.equal([]);
  });

  it("is none of a mask that the token may not read codes of, and none of a server that knows no codes", async () => {
    const { ask, server } = open({});
    server.on("GET", "/masks/:id/codes", { status: 403, json: { message: "Not yours" } });
    expect(await ask()).to.deep.equal({});
    expect(server.requestsTo("GET /masks/shop/codes")).to.have.lengthOf(1);
    server.on("GET", "/masks/:id/codes", { status: 404, json: { message: "Nothing here" } });
    expect(await ask()).to.deep.equal({});
  });
});
