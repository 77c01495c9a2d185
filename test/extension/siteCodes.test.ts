import { expect } from "chai";
import type { MailCode } from "../../core/mail/mailCode.ts";
import { answerMessage } from "../../extension/background/messages.ts";
import { createSiteCodes } from "../../extension/background/siteCodes.ts";
import { storedConnection } from "../../extension/connection/connection.ts";
import { toExtensionPorts } from "../fakes/extensionPorts.ts";
import { createFakePorts } from "../fakes/fakePorts.ts";
import { createFakeTextStream } from "../fakes/fakeTextStream.ts";
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
  codes: readonly MailCode[],
  { scopes = ["codes:read"], isAllowed = true }: { scopes?: readonly string[]; isAllowed?: boolean } = {},
) => {
  const fakes = createFakePorts();
  const { ports, server, clock } = fakes;
  const stream = createFakeTextStream();
  let known = codes;
  server.on("GET", "/masks", {
    json: {
      masks: [
        createMask("shop", { madeFor: "shop.example" }),
        createMask("bank", { madeFor: "bank.example" }),
      ],
    },
  });
  server.on("GET", "/codes", () => ({ json: { codes: known } }));
  server.on("DELETE", "/masks/:id/codes/:codeId", { status: 204 });
  storedConnection(ports.storage).write({
    server: "https://mail.example.org",
    token: "bauta_t",
    tokenId: "t1",
    name: "Chrome",
    scopes: scopes as ["codes:read"],
  });
  const siteCodes = createSiteCodes();
  const send = (kind: string, site: string, tab = 1): Promise<unknown> | undefined =>
    answerMessage(
      {
        ownId: "own",
        ports: async () => toExtensionPorts(ports, { openTextStream: stream.open }),
        codes: siteCodes,
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
  /** What is asked of the server about codes, beside the stream. */
  const asked = (): number => server.requests.filter(({ method }) => method === "GET").length;
  const arrive = (code: MailCode): void => {
    known = [code, ...known];
    stream.tell({ type: "code", data: code });
  };
  return { ...fakes, stream, ask, asked, send, arrive };
};

describe("The code of a site", () => {
  it("is the newest that has arrived at the mask of this site, and no other mask's", async () => {
    const { ask } = open([
      codeOf("bank", "999999", { receivedAt: iso(9_000) }),
      codeOf("shop", "482199", { receivedAt: iso(5_000) }),
      codeOf("shop", "111111"),
    ]);
    expect(await ask("login.shop.example")).to.deep.equal({ code: "482199", sender: "shop.example" });
  });

  it("is offered once, and deleted when it was filled in", async () => {
    const { ask, send, server } = open([codeOf("shop", "482199")]);
    await ask();
    expect(await ask("shop.example", 2)).to.deep.equal({ isWaiting: true });
    await send("used", "shop.example", 2);
    expect(server.requests.filter(({ method }) => method === "DELETE")).to.deep.equal([]);
    await send("used", "shop.example");
    await send("used", "shop.example");
    await settled();
    expect(server.requests.filter(({ method }) => method === "DELETE")).to.have.lengthOf(1);
  });

  it("is offered in one of two fields that wait for it", async () => {
    const { send, arrive, clock } = open([]);
    const answers = [send("code", "shop.example"), send("code", "shop.example", 2)];
    await clock.advance(4_000);
    arrive(codeOf("shop", "482199"));
    await clock.advance(20_000);
    const found = await Promise.all(answers);
    expect(found).to.deep.include.members([{ code: "482199", sender: "shop.example" }, { isWaiting: true }]);
  });

  it("is offered on a device whose clock is wrong", async () => {
    const { ask, clock } = open([codeOf("shop", "482199")]);
    await clock.advance(3_600_000);
    expect(await ask()).to.deep.equal({ code: "482199", sender: "shop.example" });
  });

  it("is none where the user has taken back the access to the site", async () => {
    const { ask, server } = open([codeOf("shop", "482199")], { isAllowed: false });
    expect(await ask()).to.deep.equal({});
    expect(server.requests).to.deep.equal([]);
  });

  it("is told by the server when it arrives", async () => {
    const { send, arrive, clock } = open([]);
    const answer = send("code", "shop.example");
    await clock.advance(4_000);
    arrive(codeOf("bank", "999999"));
    arrive(codeOf("shop", "G-123456"));
    expect(await answer).to.deep.equal({ code: "G-123456", sender: "shop.example" });
  });

  it("is waited for over one connection, which asks nothing again and ends with the wait", async () => {
    const { ask, asked, arrive, stream, clock } = open([]);
    for (let times = 0; times < 5; times += 1) {
      expect(await ask()).to.deep.equal({ isWaiting: true });
      stream.send(":\n\n");
    }
    expect([asked(), stream.requests.length, stream.openCount()]).to.deep.equal([2, 1, 1]);
    arrive(codeOf("shop", "482199"));
    expect(await ask()).to.deep.equal({ code: "482199", sender: "shop.example" });
    await clock.advance(10_000);
    expect(stream.openCount()).to.equal(0);
  });

  it("is waited for while the server is away for a moment", async () => {
    const { ask, arrive, stream } = open([]);
    await ask();
    stream.end();
    expect(await ask()).to.deep.equal({ isWaiting: true });
    arrive(codeOf("shop", "482199"));
    expect(await ask()).to.deep.equal({ code: "482199", sender: "shop.example" });
  });

  it("is none that was used elsewhere", async () => {
    const { ask, arrive, send, stream, clock } = open([]);
    const first = send("code", "shop.example");
    await clock.advance(1_000);
    arrive(codeOf("shop", "111111"));
    await first;
    const second = codeOf("shop", "482199");
    arrive(second);
    stream.tell({
      type: "data_update",
      data: { resource: "codes", action: "deleted", resourceId: second.id },
    });
    expect(await ask()).to.deep.equal({ isWaiting: true });
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
      expect(await open([code]).ask()).to.deep.equal({ isWaiting: true });
    });

  it("is none on a site without a mask, and without the right to codes, which asks nothing", async () => {
    const { ask, stream } = open([]);
    expect(await ask("other.example")).to.deep.equal({});
    expect(stream.requests).to.deep.equal([]);
    const without = open([], { scopes: ["masks:read"] });
    expect(await without.ask()).to.deep.equal({});
    expect(without.server.requests).to.deep.equal([]);
  });

  it("is none of a server that knows no codes, and of one that tells no changes", async () => {
    const { ask, server } = open([]);
    server.on("GET", "/codes", { status: 404, json: { message: "Nothing here" } });
    expect(await ask()).to.deep.equal({});
    const old = open([]);
    old.stream.answerWith(404);
    expect(await old.ask()).to.deep.equal({});
  });
});
