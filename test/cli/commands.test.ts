import { expect } from "chai";
import { createMask } from "../fakes/productServer.ts";
import { type CommandsHere, commandsHere } from "./support/inProcess.ts";

const token = {
  id: "t1",
  name: "Laptop",
  scopes: ["masks:create", "masks:read"],
  domain: null,
  created: "2026-11-01T10:00:00.000Z",
  expires: null,
  lastUsed: null,
  lastNetwork: null,
};

describe("The commands with a token", () => {
  const shop = createMask("shop", { labels: ["shops"], note: "Size 42" });
  const news = createMask("news", { active: false });
  let here: CommandsHere;

  beforeEach(async () => {
    here = await commandsHere();
    here.on("GET", "/api-token", token);
    here.on("GET", "/masks", { masks: [shop, news] });
  });
  afterEach(() => here.close());

  for (const [change, lines] of [
    [
      {},
      [
        "Account  (the token may not see it)",
        "Token    Laptop",
        "May      masks:create, masks:read",
        "Ends     never",
      ],
    ],
    [
      { domain: "own.example", expires: "2027-01-01T00:00:00.000Z" },
      [
        "Account  (the token may not see it)",
        "Token    Laptop",
        "May      masks:create, masks:read",
        "Domain   own.example",
        "Ends     2027-01-01T00:00:00.000Z",
      ],
    ],
  ] as const)
    it(`whoami says where and as whom, what the token may do, and its end: ${lines.at(-1)}`, async () => {
      here.on("GET", "/api-token", { ...token, ...change });
      const { code, out } = await here.run("whoami");
      expect([code, out]).to.deep.equal([0, [`Server   ${here.url}`, ...lines, ""].join("\n")]);
      expect((await here.run("whoami", "-q")).out).to.equal("Laptop\n");
      expect(JSON.parse((await here.run("whoami", "--json")).out)).to.deep.equal({
        server: here.url,
        kind: "token",
        email: null,
        name: "Laptop",
        scopes: token.scopes,
        domain: null,
        expires: null,
        ...change,
      });
    });

  it("whoami says that a server does not know the token, with the exit of who is not logged in", async () => {
    here.on("GET", "/api-token", { message: "This token was revoked." }, 401);
    expect(await here.run("whoami")).to.deep.equal({ code: 3, out: "", errors: "This token was revoked.\n" });
  });

  for (const [typed, site] of [
    ["shop.example", "shop.example"],
    ["  shop.example ", "shop.example"],
    ["https://www.shop.example/a b?c", null],
    ["the shop", null],
    ["shop", null],
    ["", null],
  ] as const)
    it(`new --for "${typed}" ${site === null ? "is refused, and makes nothing" : `makes a mask for ${site}`}`, async () => {
      here.on("POST", "/masks", { ...shop, madeFor: site }, 201);
      const { code, out, errors } = await here.run("new", "--for", typed);
      const made = here.sent.filter(({ call }) => call === "POST /masks").map(({ body }) => body);
      if (site === null) {
        expect([code, made]).to.deep.equal([2, []]);
        expect(errors).to.contain(`"${typed}" is not a site.`);
      } else {
        expect([code, out]).to.deep.equal([0, "shop@masks.example\n"]);
        expect(made[0]).to.include({ madeFor: site, description: site });
      }
    });

  it("list shows the masks that are on, all with --all, and says how many", async () => {
    const { out } = await here.run("list");
    expect(out.split("\n").map((line) => line.split(/ {2,}/))).to.deep.equal([
      ["ADDRESS", "STATE", "MAIL", "LABELS", "DESCRIPTION"],
      ["shop@masks.example", "on", "0", "shops", "Mask shop"],
      ["1 mask"],
      [""],
    ]);
    expect((await here.run("list", "--all", "-q")).out.trim().split("\n")).to.have.members([
      "shop@masks.example",
      "news@masks.example",
    ]);
    expect((await here.run("list", "is:off", "-q")).out).to.equal("news@masks.example\n");
  });

  describe("code", () => {
    const codeOf = (id: string, maskId: string, more: object) => ({
      id,
      maskId,
      receivedAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + 600_000).toISOString(),
      ...more,
    });
    const ofSite = { ...shop, madeFor: "shop.example" };

    it("prints the newest code of a site's mask, and has the server forget it", async () => {
      here.on("GET", "/masks", { masks: [ofSite, news] });
      here.on("GET", "/codes", {
        codes: [
          codeOf("2", "news", { code: "111111", sender: "news.example" }),
          codeOf("1", "shop", { code: "482913", sender: "shop.example" }),
        ],
      });
      here.on("DELETE", "/masks/shop/codes/1", {});
      const { code, out } = await here.run("code", "--wait", "--site", "www.shop.example");
      expect([code, out]).to.deep.equal([0, "482913\n"]);
      expect(here.sent.map(({ call }) => call)).to.include("DELETE /masks/shop/codes/1");
    });

    it("says where nothing proves who has sent the code, beside what a program reads", async () => {
      here.on("GET", "/codes", {
        codes: [codeOf("1", "shop", { code: "482913", sender: "", unproven: true })],
      });
      here.on("DELETE", "/masks/shop/codes/1", {});
      const people = await here.run("code");
      expect([people.out, people.errors]).to.deep.equal([
        "482913\n",
        "The sender is not proven: anybody could have sent this.\n",
      ]);
      const value = { code: "482913", link: null, mask: shop.maskEmail, sender: "" };
      expect(JSON.parse((await here.run("code", "--json")).out)).to.deep.equal(value);
      here.on("GET", "/codes", { codes: [codeOf("1", "shop", { code: "482913", sender: "shop.example" })] });
      expect((await here.run("code")).errors).to.equal("");
    });

    it("says that none has arrived, that no mask is of the site, and that one is encrypted", async () => {
      here.on("GET", "/codes", { codes: [] });
      expect((await here.run("code")).code).to.equal(4);
      expect((await here.run("code", "--site", "bank.example")).errors).to.equal(
        "No mask was made for bank.example.\n",
      );
      here.on("GET", "/codes", { codes: [codeOf("1", "shop", { sealed: "bm8=" })] });
      const { code, errors } = await here.run("code");
      expect(code).to.equal(1);
      expect(errors).to.contain("The app shows it.");
    });
  });

  for (const [command, mask] of [
    ["off", shop],
    ["on", news],
  ] as const)
    it(`${command} switches the mask that it names, and says so`, async () => {
      const active = command === "on";
      here.on("PUT", `/masks/${mask.id}`, { ...mask, active });
      const { code, out } = await here.run(command, mask.id);
      expect([code, out]).to.deep.equal([0, `${mask.maskEmail} is ${command}.\n`]);
      expect(here.sent.find(({ call }) => call.startsWith("PUT"))?.body).to.deep.equal({ active });
    });

  it("label says which labels a mask has, or that it has none", async () => {
    expect((await here.run("label", "shop")).out).to.equal("shops\n");
    expect((await here.run("label", "news")).out).to.equal("The mask has no labels.\n");
  });
});
