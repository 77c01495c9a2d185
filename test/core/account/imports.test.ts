import { expect } from "chai";
import { createAccountData } from "../../../core/account/accountData.ts";
import { createImports, type Imports } from "../../../core/account/imports.ts";
import { createDomains } from "../../../core/domains/domains.ts";
import { type AppOnFakes, type AppOnFakesOptions, startApp } from "../../fakes/appOnFakes.ts";
import { createMask, createUser } from "../../fakes/productServer.ts";
import { settled } from "../../fakes/virtualClock.ts";

const csv = (count: number): string =>
  `alias,note,enabled,mailboxes\n${Array.from({ length: count }, (_, n) => `m${n}@sl.example,Shop ${n},${n % 2 === 0},`).join("\n")}`;

describe("Importing masks", () => {
  let fakes: AppOnFakes;
  let imports: Imports;

  const begin = async (options: AppOnFakesOptions = {}): Promise<void> => {
    fakes = await startApp({
      user: createUser("ada@example.org", { subscription: { tier: "basic", status: "active" } }),
      ...options,
    });
    imports = fakes.signedIn().feature(createImports);
    await settled();
  };
  afterEach(() => fakes.stop());

  const rows = () => {
    const { value } = imports.state$;
    return "rows" in value ? value.rows : [];
  };
  const states = (): readonly string[] => rows().map(({ state }) => state.kind);
  const reasons = (): readonly (string | null)[] =>
    rows().map(({ state }) => ("reason" in state ? state.reason : null));

  it("shows a preview and changes nothing yet", async () => {
    await begin();
    await imports.read(csv(3))();
    expect(imports.state$.value).to.include({ kind: "preview", source: "SimpleLogin" });
    expect(states()).to.deep.equal(["waiting", "waiting", "waiting"]);
    expect(fakes.server.requestsTo("POST /masks")).to.have.length(0);
  });

  it("creates a mask for each row, with its description and whether it is on, and reports each row", async () => {
    await begin();
    await imports.read(csv(2))();
    await imports.run()();
    expect(imports.state$.value.kind).to.equal("done");
    expect(fakes.server.requestsTo("POST /masks").map(({ body }) => body)).to.deep.equal([
      { description: "Shop 0", active: true },
      { description: "Shop 1", active: false },
    ]);
    const [first] = rows();
    expect(first?.state).to.deep.include({ kind: "made", maskEmail: "new1@masks.example" });
    await settled();
    expect(fakes.app.masks.view$.value.all).to.have.length(2);
  });

  it("restores rules and settings from the product's own export, and lists what cannot be restored", async () => {
    await begin();
    const rule = {
      id: "rule_1_1",
      name: "Sales",
      type: "content_filter",
      enabled: false,
      conditions: [{ field: "subject", operator: "contains", value: ["sale"] }],
      actions: [{ type: "tag", params: { tag: "Sale" } }],
      metadata: { stop: true },
    };
    const exported = createMask("old", {
      active: false,
      settings: { spamFilter: true, senderShown: "mask", rules: [rule, { id: "broken" }], rulesVersion: "x" },
    });
    await imports.read(JSON.stringify({ format: "bauta-export", version: 1, masks: [exported] }))();
    expect(rows()[0]?.mask?.own?.leftOut).to.deep.equal(["One rule cannot be read."]);
    expect(imports.state$.value).to.have.property("leftOut").that.includes("figures and notifications");
    await imports.run()();
    expect(fakes.server.requestsTo("POST /masks")[0]?.body).to.deep.equal({
      description: "Mask old",
      active: false,
      forwardTo: "ada@example.org",
      settings: { spamFilter: true, senderShown: "mask", rules: [rule] },
    });
  });

  describe("of the product's own export takes over labels, note and pin", () => {
    const exported = createMask("old", {
      labels: ["shop", "Bücher"],
      note: 'Ordered "twice", see =SUM(1)\nand the mail of May',
      pinned: true,
      settings: { spamFilter: true },
    });
    const body = {
      description: "Mask old",
      active: true,
      forwardTo: "ada@example.org",
      labels: ["shop", "Bücher"],
      note: 'Ordered "twice", see =SUM(1)\nand the mail of May',
      pinned: true,
      settings: { spamFilter: true },
    };
    const file = async (way: "exportAll" | "exportMasks"): Promise<string> => {
      await begin();
      fakes.server.on("GET", "/account/export", {
        json: {
          format: "bauta-export",
          version: 1,
          exportedAt: "",
          account: createUser("ada@example.org"),
          masks: [{ ...exported, addresses: [exported.maskEmail] }],
          destinations: [],
          usage: [],
          notifications: [],
        },
      });
      const exportIt = fakes.signedIn().feature(createAccountData)[way];
      const found = await exportIt()();
      if (found._tag === "Left") throw new Error(found.left.message);
      return found.right.content;
    };
    for (const way of ["exportAll", "exportMasks"] as const)
      it(`by ${way}`, async () => {
        const content = await file(way);
        await imports.read(content)();
        expect(rows()[0]?.mask?.own?.leftOut).to.deep.equal([]);
        expect(imports.state$.value)
          .to.have.property("leftOut")
          .that.deep.equals([
            "addresses at domains that are not proven here, whose masks get new ones",
            "figures and notifications",
            ...(way === "exportAll" ? [] : ["rules, keys and settings, which are in the export as JSON"]),
          ]);
        await imports.run()();
        const { settings } = body;
        const usual = {
          notifyWhenOff: false,
          acceptUnproven: false,
          senderShown: "account",
          actionLinks: "account",
          unsubscribe: "account",
          keptInApp: "no",
        };
        expect(fakes.server.requestsTo("POST /masks")[0]?.body).to.deep.equal(
          way === "exportAll" ? body : { ...body, whenOff: "refuse", settings: { ...settings, ...usual } },
        );
      });

    it("and lists what it cannot", async () => {
      await begin();
      const tooLong = { ...exported, note: "n".repeat(1_001), labels: [",,"] };
      await imports.read(JSON.stringify({ format: "bauta-export", version: 1, masks: [tooLong] }))();
      expect(rows()[0]?.mask?.own?.leftOut).to.deep.equal([
        "The setting “labels” cannot be read.",
        "The setting “note” cannot be read.",
      ]);
    });
  });

  it("adds the rules for all masks that the account does not have", async () => {
    await begin();
    const rule = (id: string, word: string) => ({
      id,
      name: `About ${word}`,
      type: "content_filter",
      enabled: true,
      conditions: [{ field: "subject", operator: "contains", value: [word] }],
      actions: [{ type: "tag", params: { tag: word } }],
    });
    const before = { rules: [rule("a", "sale")], version: "v1" };
    fakes.server.on("GET", "/rules", { json: { before, after: { rules: [], version: "v0" } } });
    fakes.server.on("PUT", "/rules/:place", { json: before });
    await imports.read(
      JSON.stringify({
        format: "bauta-export",
        version: 1,
        masks: [],
        accountRules: { before: [rule("b", "sale"), rule("a", "order")], after: [rule("c", "news"), 7] },
      }),
    )();
    expect(rows().map(({ address, state }) => [address, state.kind])).to.deep.equal([
      ["2 rules before those of each mask", "waiting"],
      ["1 rule after those of each mask", "waiting"],
      ["1 rule after those of each mask", "skipped"],
    ]);
    await imports.run()();
    expect(states()).to.deep.equal(["taken", "taken", "skipped"]);
    const [first, second] = fakes.server.requests.filter(({ method }) => method === "PUT");
    const { id: _, ...withoutId } = rule("a", "order");
    expect([first?.path, first?.body, first?.headers["if-match"]]).to.deep.equal([
      "/rules/before",
      { rules: [rule("a", "sale"), withoutId] },
      '"v1"',
    ]);
    expect([second?.path, second?.body]).to.deep.equal(["/rules/after", { rules: [rule("c", "news")] }]);
    expect(rows()[0]?.state).to.deep.include({ note: "1 of them were here already." });
  });

  it("takes over addresses, labels and settings first, and keeps what the account has chosen", async () => {
    await begin();
    await imports.read(
      JSON.stringify({
        format: "bauta-export",
        version: 1,
        masks: [createMask("old", { labels: ["shops"] })],
        destinations: [
          { email: "home@second.example", name: "Home", publicKey: "key", isDefault: true },
          { email: 7 },
        ],
        labels: [
          { name: "shops", color: "teal", masks: 1 },
          { name: "plain", color: "gray", masks: 1 },
          { name: "odd", color: "pink", masks: 1 },
        ],
        settings: { senderShown: "mask", maskFormat: { kind: "words", length: 1 } },
        futureThings: [1],
      }),
    )();
    expect(rows().map(({ address, state }) => [address, state.kind])).to.deep.equal([
      ["Address home@second.example", "waiting"],
      ["Address 2", "skipped"],
      ["Label shops, teal", "waiting"],
      ["Label 3", "skipped"],
      ["The setting “maskFormat”", "skipped"],
      ["Settings: how senders are shown", "waiting"],
      ["old@masks.example", "waiting"],
    ]);
    fakes.server.on("POST", "/destinations", {
      json: {
        id: "d1",
        email: "home@second.example",
        name: "",
        status: "awaiting-confirmation",
        masks: 0,
        isDefault: false,
        isAccount: false,
        keyFingerprint: null,
        confirmationSent: true,
      },
    });
    fakes.server.on("PATCH", "/destinations/:id", {
      status: 400,
      json: { message: "This is no OpenPGP key." },
    });
    fakes.server.on("POST", "/labels", { json: { name: "shops", color: "teal", masks: 0 } });
    fakes.server.on("PUT", "/account/profile", { json: {} });
    await imports.run()();
    expect(fakes.server.requestsTo("PATCH /destinations/d1")[0]?.body).to.deep.equal({
      name: "Home",
      publicKey: "key",
    });
    expect(fakes.server.requestsTo("PUT /account/profile")[0]?.body).to.deep.equal({ senderShown: "mask" });
    expect(states()).to.deep.equal(["failed", "skipped", "taken", "skipped", "skipped", "taken", "made"]);
    expect(reasons()[0]).to.equal("This is no OpenPGP key.");
  });

  it("names the line of a row that is not one of its table, and imports the others", async () => {
    await begin();
    await imports.read(
      'mask,description,pinned\nx@y.example,Shop,maybe\ny@y.example,"No end\nz@y.example,Third,true\n',
    )();
    expect(rows().map(({ at, mask, state }) => [at, state.kind, mask?.own?.leftOut])).to.deep.equal([
      [2, "waiting", ["The setting “pinned” cannot be read."]],
      [3, "skipped", undefined],
    ]);
    expect(reasons()[1]).to.equal("It has 2 cells, but the table has 3 columns.");
  });

  it("skips in the preview what exceeds the plan, with the reason", async () => {
    await begin({ user: createUser("ada@example.org"), masks: [createMask("here")] });
    await imports.read(csv(3))();
    expect(states()).to.deep.equal(["waiting", "skipped", "skipped"]);
    expect(reasons()[1]).to.equal(
      "The Free plan has 2 masks. Delete some, or upgrade your plan to import more.",
    );
    await imports.run()();
    expect(fakes.server.requestsTo("POST /masks")).to.have.length(1);
  });

  it("names no plan where none are sold", async () => {
    await begin({
      user: createUser("ada@example.org"),
      masks: [createMask("here")],
      settings: { configuration: { brand: "Bauta", maskDomain: "masks.example", defaultTier: "free" } },
    });
    await imports.read(csv(2))();
    expect(reasons()[1]).to.equal("This server allows 2 masks an account. Delete some to import more.");
  });

  it("skips a mask that exists already, a duplicate row and an invalid address", async () => {
    await begin({ masks: [createMask("here")] });
    await imports.read(
      "mask,description,forward_to,active\nhere@masks.example,A,,true\nx@y.example,B,,true\nX@y.example,B,,true\nz@y.example,C,nowhere,true\n",
    )();
    expect(reasons()).to.deep.equal([
      "You have this mask already.",
      null,
      "It is in this file twice.",
      "The address that it forwards to is not an email address.",
    ]);
  });

  it("continues after a row that the server refuses, and shows the reason beside it", async () => {
    await begin();
    let count = 0;
    const answers = [
      { status: 400, json: { message: "No." } },
      { status: 201, json: createMask("new") },
    ] as const;
    fakes.server.on("POST", "/masks", () => answers[count++ % 2] ?? "silent");
    await imports.read(csv(2))();
    await imports.run()();
    expect(states()).to.deep.equal(["failed", "made"]);
    expect(reasons()[0]).to.equal("No.");
  });

  it("stops at a plan limit that the server reports, since the other rows would fail too", async () => {
    await begin();
    fakes.server.on("POST", "/masks", { status: 403, json: { message: "The Basic plan has 10 masks." } });
    await imports.read(csv(3))();
    await imports.run()();
    expect(states()).to.deep.equal(["failed", "failed", "failed"]);
    expect(new Set(reasons())).to.deep.equal(new Set(["The Basic plan has 10 masks."]));
    expect(fakes.server.requestsTo("POST /masks")).to.have.length(1);
  });

  const proveDomain = async (name: string): Promise<void> => {
    await fakes.signedIn().feature(createDomains).add({ name })();
    await settled();
    fakes.product.domains.edit(name, { state: "ready" });
  };

  it("keeps the addresses at proven domains, and names the domains of the others", async () => {
    await begin();
    await proveDomain("own.example");
    const file =
      "alias,note,enabled,mailboxes\nShop@OWN.example,Shop,true,\nx@sl.example,X,true,\nnot ok@own.example,Y,true,\n";
    await imports.read(file)();
    expect(rows().map(({ kept }) => kept ?? null)).to.deep.equal([
      { domain: "own.example", localPart: "Shop" },
      null,
      null,
    ]);
    const { value } = imports.state$;
    const domains = "domains" in value ? value.domains : [];
    expect(domains.map(({ name, addresses, proven }) => [name, addresses, proven !== null])).to.deep.equal([
      ["own.example", 2, true],
      ["sl.example", 1, false],
    ]);
    await imports.run()();
    expect(fakes.server.requestsTo("POST /masks").map(({ body }) => body)[0]).to.deep.equal({
      description: "Shop",
      active: true,
      domain: "own.example",
      localPart: "Shop",
    });
  });

  it("waits where the server takes only so many masks a minute, and goes on with the same row", async () => {
    await begin();
    let count = 0;
    fakes.server.on("POST", "/masks", () => {
      count += 1;
      return count === 2 || count === 3
        ? { status: 429, headers: { "retry-after": "20" }, json: { message: "Too many requests." } }
        : { status: 201, json: createMask(`new${count}`) };
    });
    await imports.read(csv(2))();
    const running = imports.run()();
    await settled();
    expect(imports.state$.value).to.include({ kind: "running", isWaiting: true });
    await fakes.clock.advance(10_000);
    await fakes.clock.advance(10_000);
    await running;
    expect(states()).to.deep.equal(["made", "made"]);
    expect(fakes.app.toasts.list$.value).to.deep.equal([]);
    expect(count).to.equal(4);
  });

  it("does not wait for a limit of a day", async () => {
    await begin();
    const message = "Use an address that you have confirmed already.";
    fakes.server.on("POST", "/masks", {
      status: 429,
      json: { message: "Too many.", errors: [{ field: "forwardTo", message }] },
    });
    await imports.read(csv(1))();
    await imports.run()();
    expect(states()).to.deep.equal(["failed"]);
  });

  it("says when the domains cannot be loaded, which decide about the addresses", async () => {
    await begin();
    fakes.server.on("GET", "/domains", { status: 500, json: {} });
    await imports.read(csv(1))();
    expect(imports.state$.value)
      .to.have.property("message")
      .that.contains("Your domains could not be loaded");
  });

  it("pauses when the connection is lost, and resumes there", async () => {
    await begin();
    await imports.read(csv(3))();
    fakes.server.on("POST", "/masks", "unreachable");
    const running = imports.run()();
    await fakes.clock.advance(60_000);
    await running;
    expect(imports.state$.value.kind).to.equal("stopped");
    expect(states()).to.deep.equal(["waiting", "waiting", "waiting"]);
    fakes.server.on("POST", "/masks", { status: 201, json: createMask("new") });
    await imports.run()();
    expect(states()).to.deep.equal(["made", "made", "made"]);
  });

  it("stops at the user's request, after the current row", async () => {
    await begin();
    await imports.read(csv(3))();
    const running = imports.run()();
    imports.stop();
    await running;
    expect(imports.state$.value.kind).to.equal("stopped");
    expect(states()).to.deep.equal(["made", "waiting", "waiting"]);
  });

  it("explains why a file cannot be imported", async () => {
    await begin();
    await imports.read("hello")();
    expect(imports.state$.value)
      .to.have.property("message")
      .that.includes("SimpleLogin, addy.io or Firefox Relay");
    imports.close();
    expect(imports.state$.value).to.deep.equal({ kind: "none" });
  });
});
