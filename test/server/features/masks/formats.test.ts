import { expect } from "chai";
import type { Mask } from "../../../../core/masks/mask.ts";
import type { Account } from "../../../../core/session/user.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";

const email = "owner@example.org";

const fourWords = /^[a-z]+(-[a-z]+){3}@masks\.test$/;
const twelveLetters = /^[bcdfghjkmnpqrstvwxyz2-9]{12}@masks\.test$/;
const usual = /^[bcdfghjkmnpqrstvwxyz2-9]{10}@masks\.test$/;

for (const store of everyStore)
  describe(`The format of a mask's address, on ${store.name}`, () => {
    let server: TestServer;
    let user: Client;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store });
      user = await server.signIn(email);
      await setTier(server.database, email, "pro_premium");
    });
    afterEach(() => server?.stop());

    const create = (body: object) => user.call("POST", "/masks", { body: { description: "x", ...body } });
    const addressOf = async (body: object = {}): Promise<string> => {
      const { json, status, text } = await create(body);
      expect(status, text).to.equal(201);
      return (json as Mask).maskEmail;
    };
    const choose = (maskFormat: unknown) => user.call("PUT", "/account/profile", { body: { maskFormat } });
    const chosen = async (): Promise<unknown> =>
      ((await user.call("GET", "/account")).json as Account).settings?.maskFormat;

    it("is chosen for one mask: words, letters or a UUID, also after a prefix", async () => {
      expect(await addressOf({ format: { kind: "words", length: 4 } })).to.match(fourWords);
      expect(await addressOf({ format: { kind: "letters", length: 12 } })).to.match(twelveLetters);
      expect(await addressOf({ format: { kind: "uuid" } })).to.match(
        /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}@/,
      );
      expect(await addressOf({ customPrefix: "shop", format: { kind: "words", length: 5 } })).to.match(
        /^shop\.[a-z]+(-[a-z]+){4}@/,
      );
      expect(await addressOf()).to.match(usual);
    });

    it("is chosen for all new masks of the account, by everything that creates one, and is exported", async () => {
      expect(await chosen()).to.equal(undefined);
      expect((await choose({ kind: "words", length: 4, other: 1 })).status).to.equal(200);
      expect(await chosen()).to.deep.equal({ kind: "words", length: 4 });
      expect(await addressOf()).to.match(fourWords);
      expect(await addressOf({ customPrefix: "shop" })).to.match(/^shop\.[a-z]+(-[a-z]+){3}@/);
      expect(await addressOf({ format: { kind: "letters", length: 12 } })).to.match(twelveLetters);
      const exported = (await user.call("GET", "/account/export")).json;
      expect(exported).to.have.deep.nested.property("settings.maskFormat", { kind: "words", length: 4 });
      const other = await server.signIn("other@example.org");
      const theirs = await other.call("POST", "/masks", { body: { description: "x" } });
      expect((theirs.json as Mask).maskEmail, "the choice of another account").to.match(usual);
      expect((await choose(null)).status).to.equal(200);
      expect(await chosen()).to.equal(undefined);
      expect(await addressOf()).to.match(usual);
    });

    it("is refused when an address could be guessed or would be too long", async () => {
      const formats = [
        { kind: "words", length: 3 },
        { kind: "words", length: 6 },
        { kind: "letters", length: 8 },
        { kind: "letters", length: 33 },
        { kind: "letters", length: 10.5 },
        { kind: "letters" },
        { kind: "emoji", length: 10 },
        "words",
      ];
      for (const format of formats) {
        const { status, json } = await create({ format });
        expect(status, JSON.stringify(format)).to.equal(400);
        expect(json).to.have.nested.property("errors[0].field", "format");
        expect((await choose(format)).status, JSON.stringify(format)).to.equal(400);
      }
      expect(await chosen()).to.equal(undefined);
    });

    it("returns to an earlier address when the prefix is taken back", async () => {
      const { json } = await create({ customPrefix: "a.b", format: { kind: "words", length: 4 } });
      const mask = json as Mask;
      const edit = async (customPrefix: string): Promise<string> =>
        ((await user.call("PUT", `/masks/${mask.id}`, { body: { customPrefix } })).json as Mask).maskEmail;
      expect(await edit("a"), "another prefix").to.match(/^a\.[^.]{10}@/);
      expect(await edit("a.b")).to.equal(mask.maskEmail);
    });
  });
