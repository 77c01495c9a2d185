import { expect } from "chai";
import { minuteMs } from "../../core/kernel/durations.ts";
import { answerMessage } from "../../extension/background/messages.ts";
import { createSiteCodes } from "../../extension/background/siteCodes.ts";
import { storedConnection } from "../../extension/connection/connection.ts";
import { connectTo } from "../../extension/connection/connectTo.ts";
import { beginHandover } from "../../extension/connection/handover.ts";
import type { MessageSender } from "../../extension/extensionApi.ts";
import { toExtensionPorts } from "../fakes/extensionPorts.ts";
import type { Answer } from "../fakes/fakeHttp.ts";
import { createFakePorts } from "../fakes/fakePorts.ts";
import { createApiToken, madeToken } from "../fakes/productApiTokens.ts";

const origin = "https://mail.example.org";
const scopes = ["masks:create", "masks:read", "masks:write"] as const;

const begin = (
  answer: Answer = { json: createApiToken("t1", { name: "Firefox on Linux", scopes }) },
  keeps = true,
) => {
  const fakes = createFakePorts();
  fakes.server.on("GET", "/api-token", answer);
  const { code } = beginHandover(fakes.ports, origin);
  const send = async (more: object = {}, from: Partial<MessageSender> = {}): Promise<unknown> =>
    answerMessage(
      {
        ownId: "own",
        ports: async () => toExtensionPorts(fakes.ports, { isStored: async () => keeps }),
        codes: createSiteCodes(),
        permissions: { contains: async () => false },
      },
      { kind: "token", code, token: madeToken, path: "", ...more },
      { id: "own", tab: { id: 1 }, frameId: 0, url: `${origin}/#settings/programs`, ...from },
    );
  return { ...fakes, send, connection: () => storedConnection(fakes.ports.storage).read() };
};

describe("The handover of a token to the extension", () => {
  it("connects the browser to the server whose page has given it, once it has proven to be valid", async () => {
    const { send, connection, server } = begin();
    expect(await send()).to.equal(null);
    expect(connection()).to.deep.equal({
      server: origin,
      token: madeToken,
      tokenId: "t1",
      name: "Firefox on Linux",
      scopes,
    });
    expect(server.requests.map(({ url, headers }) => [url, headers["authorization"]])).to.deep.equal([
      [`${origin}/api-token`, `Bearer ${madeToken}`],
    ]);
  });

  it("connects it to a server that shares its host, at its path", async () => {
    const { send, connection, server } = begin();
    server.on("GET", "/bauta/api-token", { json: createApiToken("t1", { scopes }) });
    expect(await send({ path: "/bauta" })).to.equal(null);
    expect(connection()?.server).to.equal(`${origin}/bauta`);
    expect(server.requests.map(({ url }) => url)).to.deep.equal([`${origin}/bauta/api-token`]);
  });

  it("connects nothing where the browser keeps nothing, and says so", async () => {
    const { send, connection } = begin(undefined, false);
    expect(await send()).to.match(/cannot keep the connection/);
    expect(connection()).to.equal(null);
  });

  it("works once", async () => {
    const { send, server } = begin();
    await send();
    expect(await send()).to.match(/^This browser has not asked for that/);
    expect(server.requests).to.have.lengthOf(1);
  });

  for (const [who, more, from] of [
    ["the page of another site", {}, { url: "https://evil.example/" }],
    ["the same server without encryption", {}, { url: "http://mail.example.org/" }],
    ["a frame in the page", {}, { frameId: 3 }],
    ["another extension", {}, { id: "other" }],
    ["a page of the browser", {}, { url: "about:blank" }],
    ["a part of the extension without a tab", {}, { tab: undefined }],
    ["a page with another code", { code: "0".repeat(32) }, {}],
    ["a page that gives no token of such a server", { token: "<script>" }, {}],
    ["a page that names another host", { path: ".evil.example" }, {}],
    ["a page that names another port", { path: ":8443" }, {}],
    ["a page that makes its host the user", { path: "@evil.example" }, {}],
    ["a page that gives no text", { token: { toString: "x" } }, {}],
  ] as const)
    it(`is refused from ${who}`, async () => {
      const { send, connection, server } = begin();
      expect(await send(more, from as Partial<MessageSender>)).not.to.equal(null);
      expect([connection(), server.requests.length]).to.deep.equal([null, 0]);
    });

  it("ends after five minutes", async () => {
    const { send, clock, connection } = begin();
    await clock.advance(5 * minuteMs);
    await send();
    expect(connection()).to.equal(null);
  });

  for (const [what, answer, sentence] of [
    [
      "is away, or another site",
      "unreachable",
      /cannot be reached, or it is no Bauta server, or one too old/,
    ],
    ["refuses the token", { status: 401 }, /does not know this token/],
    ["is none of ours", { status: 404 }, /no Bauta server at .*, or it is too old/],
    ["answers something else", { json: { id: 3 } }, /no Bauta server at .*, or it is too new/],
    ["has a problem", { status: 503, json: { message: "The store is full." } }, /The store is full/],
    [
      "allows the token too little",
      { json: createApiToken("t1") },
      /lacks what the extension needs: See masks, Change masks/,
    ],
  ] as const)
    it(`says what it is when the server ${what}`, async () => {
      const { send, connection } = begin(answer);
      expect(await send()).to.match(sentence);
      expect(connection()).to.equal(null);
    });

  for (const [server, isSpokenTo] of [
    ["http://localhost:8080", true],
    ["http://bauta.localhost:8080", true],
    ["http://127.0.0.1:8080", true],
    ["http://127.0.0.2:8080", false],
    ["http://[::1]:8080", false],
    ["https://[::1]:8443", true],
  ] as const)
    it(`${isSpokenTo ? "reaches" : "says that the extension cannot reach"} ${server}`, async () => {
      const { ports, server: fake } = begin();
      const connected = await connectTo(ports, { server, token: madeToken })();
      expect(fake.requests).to.have.lengthOf(isSpokenTo ? 1 : 0);
      if (!isSpokenTo) expect(connected).to.deep.include({ _tag: "Left" });
      if (!isSpokenTo) expect(JSON.stringify(connected)).to.match(/Write http:\/\/localhost/);
    });
});
