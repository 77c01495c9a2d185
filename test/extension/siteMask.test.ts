import { expect } from "chai";
import type { Mask } from "../../core/masks/mask.ts";
import { answerMessage } from "../../extension/background/messages.ts";
import { createSiteCodes } from "../../extension/background/siteCodes.ts";
import type { MaskAnswer } from "../../extension/background/siteMask.ts";
import { storedConnection } from "../../extension/connection/connection.ts";
import type { MessageSender } from "../../extension/extensionApi.ts";
import { toExtensionPorts } from "../fakes/extensionPorts.ts";
import type { Answer } from "../fakes/fakeHttp.ts";
import { createFakePorts } from "../fakes/fakePorts.ts";
import { createMask } from "../fakes/productServer.ts";
import { settled } from "../fakes/virtualClock.ts";

const server = "https://mail.example.org";
const page = (url: string, more: Partial<MessageSender> = {}): MessageSender => ({
  id: "own",
  tab: { id: 1, url },
  frameId: 0,
  url,
  ...more,
});

/** Every message comes from a script that the user has not called, unless one says so. */
const open = (masks: readonly Mask[] = [], isConnected = true, allowed = ["https://shop.example/*"]) => {
  const fakes = createFakePorts();
  const { ports } = fakes;
  const permissions = {
    contains: async ({ origins }: { readonly origins: readonly string[] }) =>
      origins.every((origin) => allowed.includes(origin)),
  };
  fakes.server.on("GET", "/masks", { json: { masks } });
  fakes.server.on("POST", "/masks", ({ body }) => ({
    status: 201,
    json: createMask("new", body as Partial<Mask>),
    afterMs: 50,
  }));
  if (isConnected)
    storedConnection(ports.storage).write({
      server,
      token: "bauta_t",
      tokenId: "t1",
      name: "Chrome",
      scopes: [],
    });
  const ask = (sender: MessageSender, message: unknown = { kind: "mask", isCalled: false }) =>
    answerMessage(
      { ownId: "own", ports: async () => toExtensionPorts(ports), codes: createSiteCodes(), permissions },
      message,
      sender,
    ) as Promise<MaskAnswer> | undefined;
  const answer = async (sender: MessageSender, isCalled = false): Promise<MaskAnswer> => {
    const asked = ask(sender, { kind: "mask", isCalled });
    if (asked === undefined) throw new Error("the message was ignored");
    await settled();
    await fakes.clock.advance(50);
    return asked;
  };
  return {
    ...fakes,
    ask,
    answer,
    made: () => fakes.server.requestsTo("POST /masks").map(({ body }) => body),
  };
};

describe("The mask of a site", () => {
  it("is the one that was made for the site or its parent, one that is on before others", async () => {
    const { answer, made } = open([
      createMask("other", { madeFor: "workshop.example" }),
      createMask("off", { madeFor: "shop.example", active: false }),
      createMask("on", { madeFor: "shop.example" }),
    ]);
    expect(await answer(page("https://login.shop.example/a"), true)).to.deep.equal({
      address: "on@masks.example",
      sentence: "This is your mask for this site.",
    });
    expect(made()).to.deep.equal([]);
  });

  it("is said to be switched off where that is so", async () => {
    const { answer } = open([createMask("off", { madeFor: "shop.example", active: false })]);
    expect((await answer(page("https://shop.example/"))).sentence).to.match(/switched off/);
  });

  it("is made for what the browser says of the page, and once for two presses", async () => {
    const { answer, made } = open();
    const sender = page("https://shop.example/sign-up?site=evil.example");
    const [first, second] = await Promise.all([answer(sender), answer(sender)]);
    expect(first.address).to.equal("new@masks.example");
    expect(second).to.deep.equal(first);
    expect(made()).to.deep.equal([{ description: "shop.example", madeFor: "shop.example" }]);
  });

  it("is that of the page for a frame of its own origin, also one without an address", async () => {
    const top = "https://shop.example/";
    const { answer, made } = open();
    await answer(page(`${top}inner`, { frameId: 4, tab: { id: 1, url: top } }));
    await answer(
      page("about:srcdoc", { frameId: 5, origin: "https://shop.example", tab: { id: 1, url: top } }),
    );
    expect(made()).to.deep.equal([
      { description: "shop.example", madeFor: "shop.example" },
      { description: "shop.example", madeFor: "shop.example" },
    ]);
  });

  const shop = { id: 1, url: "https://shop.example/" };
  for (const [who, sender] of [
    ["a frame of another site", page("https://tracker.example/", { frameId: 3, tab: shop })],
    ["a frame of a part of the site", page("https://ads.shop.example/", { frameId: 3, tab: shop })],
    [
      "a frame in a page that the extension may not see",
      page("https://shop.example/", { frameId: 3, tab: { id: 1 } }),
    ],
    ["a sandboxed frame", page("about:srcdoc", { frameId: 3, origin: "null", tab: shop })],
    ["another extension", page("https://shop.example/", { id: "other" })],
    ["a file", page("file:///etc/passwd")],
    ["a page of the browser", page("chrome://settings/")],
    ["a part of the extension without a tab", { id: "own", url: "https://shop.example/", frameId: 0 }],
  ] as const)
    it(`is nobody's in ${who}`, () => expect(open().ask(sender)).to.equal(undefined));

  it("is not given for messages that are none", () => {
    for (const message of [
      null,
      1,
      "mask",
      [],
      { kind: "mask" },
      { kind: "masks", isCalled: true },
      { kind: ["mask"], isCalled: true },
      JSON.parse('{"__proto__":{"kind":"mask","isCalled":true}}'),
    ])
      expect(open().ask(page("https://shop.example/"), message)).to.equal(undefined);
  });

  const failing: readonly (readonly [string, Answer, RegExp])[] = [
    ["is away", "unreachable", /^The server cannot be reached/],
    [
      "refuses the token",
      { status: 401, json: { message: "Invalid or expired token" } },
      /refuses the token.*Connect it again/,
    ],
    ["has a problem", { status: 503, json: { message: "The store is full." } }, /store is full/],
    ["is another one", { json: { lists: 3 } }, /could not be created|Failed|unreadable|response/i],
  ];
  for (const [what, reply, sentence] of failing)
    it(`is none, with the reason, when the server ${what}`, async () => {
      const { answer, server: fake } = open();
      fake.on("GET", "/masks", reply);
      const given = await answer(page("https://shop.example/"));
      expect(given.address).to.equal(undefined);
      expect(given.sentence).to.match(sentence);
    });

  it("is none when the plan has no room for it, with the server's reason", async () => {
    const { answer, server: fake } = open();
    fake.on("POST", "/masks", { status: 403, json: { message: "Your plan has 5 masks. Delete one first." } });
    expect(await answer(page("https://shop.example/"))).to.deep.equal({
      sentence: "Your plan has 5 masks. Delete one first.",
    });
  });

  it("is none on the pages of the server itself, which knows its user by another address", async () => {
    const { answer, server: fake } = open();
    expect((await answer(page(`${server}/#settings`), true)).sentence).to.match(/^This is your Bauta server/);
    expect(fake.requests).to.deep.equal([]);
  });

  it("is none where the user has taken back the access to the site, until the user calls the extension", async () => {
    const { answer, server: fake } = open([], true, []);
    const refused = await answer(page("https://shop.example/"));
    expect(refused.address).to.equal(undefined);
    expect(refused.sentence).to.match(/not allowed on this site any more/);
    expect(fake.requests).to.deep.equal([]);
    expect((await answer(page("https://shop.example/"), true)).address).to.equal("new@masks.example");
  });

  it("is none before the browser is connected, and nothing is sent", async () => {
    const { answer, server: fake } = open([], false);
    expect((await answer(page("https://shop.example/"))).sentence).to.match(/not connected/);
    expect(fake.requests).to.deep.equal([]);
  });
});
