import { expect } from "chai";
import { onInputs } from "../../../support/corpora.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { setTier } from "../../support/tier.ts";

interface IsEmailCase {
  readonly address: string;
  readonly category: string;
}

/** Restores control characters, which the corpus writes as control pictures (U+2400) because XML forbids them. */
const withControls = (address: string): string =>
  address.replace(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400));

const mustPass = new Set(["ISEMAIL_VALID_CATEGORY", "ISEMAIL_DNSWARN"]);

describe("Difficult inputs", () => {
  let server: TestServer;
  let user: Client;
  let maskId: string;

  before(async () => {
    server = await startServer();
    user = await server.signIn("reader@example.org");
    await setTier(server.database, "reader@example.org", "business");
    const created = await user.call("POST", "/masks", { body: { description: "first" } });
    maskId = (created.json as { id: string }).id;
  });
  after(() => server?.stop());

  const mailed = async (): Promise<number> =>
    (
      await server.database.db
        .selectFrom("queue")
        .where("user_id", "is distinct from", bystander.id)
        .select("id")
        .execute()
    ).length;

  onInputs(["categorizedAddresses"], ({ areSamples, json }) => {
    it("cause a sign-in code for every valid address and for no invalid one", async () => {
      const cases = json<readonly IsEmailCase[]>("categorizedAddresses").flat();
      expect(cases.length).to.be.above(areSamples ? 30 : 400);
      for (const { address, category } of cases) {
        const before = await mailed();
        // Tagged addresses (user+tag@) share the code limit of their mailbox, so it is reset here.
        await server.database.db.deleteFrom("login_codes").execute();
        const email = withControls(address);
        const { status } = await server.client().call("POST", "/login", { body: { email } });
        const isLocalName = !email.slice(email.lastIndexOf("@")).includes(".");
        if (mustPass.has(category) && !isLocalName) expect(status, `${category} ${address}`).to.equal(200);
        else if (category === "ISEMAIL_ERR") expect(status, address).to.equal(400);
        else expect(status, address).to.be.oneOf([200, 400]);
        expect(await mailed(), address).to.equal(before + (status === 200 ? 1 : 0));
      }
    });
  });

  onInputs(["judgedAddresses"], ({ areSamples, json }) => {
    it("are refused as addresses when other validators refuse them, at sign-in and as a destination", async () => {
      const judged = json<{ valid: string[]; invalid: string[] }>("judgedAddresses");
      const [valid, invalid] = [judged.flatMap((one) => one.valid), judged.flatMap((one) => one.invalid)];
      expect(invalid.length).to.be.above(areSamples ? 10 : 20);
      const before = await mailed();
      for (const email of invalid) {
        expect((await server.client().call("POST", "/login", { body: { email } })).status, email).to.equal(
          400,
        );
        const masked = await user.call("POST", "/masks", { body: { description: "x", forwardTo: email } });
        expect(masked.status, email).to.equal(400);
        expect(masked.json).to.deep.include({ message: "Please enter a valid email address" });
      }
      expect(await mailed()).to.equal(before);
      for (const email of valid)
        expect((await server.client().call("POST", "/login", { body: { email } })).status, email).to.be.below(
          500,
        );
    });
  });

  onInputs(["naughtyStrings"], ({ areSamples, json }) => {
    it('are stored unchanged or refused when they are "naughty strings"', async () => {
      const stored = new Map<string, string>();
      await Promise.all(
        json<readonly string[]>("naughtyStrings")
          .flat()
          .map(async (text) => {
            const created = await user.call("POST", "/masks", { body: { description: text } });
            expect(created.status, JSON.stringify(text)).to.be.oneOf([201, 400]);
            if (created.status === 201) stored.set((created.json as { id: string }).id, text);
          }),
      );
      expect(stored.size).to.be.above(areSamples ? 25 : 400);
      const { masks } = (await user.call("GET", "/masks")).json as {
        masks: { id: string; description: string }[];
      };
      const read = new Map(masks.map(({ id, description }) => [id, description]));
      for (const [id, text] of stored) expect(read.get(id)).to.equal(text);
    });

    it("never cause a 5xx in a field, header or path", async () => {
      for (const text of json<readonly string[]>("naughtyStrings").flat()) {
        const answers = await Promise.all([
          server.client().call("POST", "/login", { body: { email: text } }),
          server.client().call("PUT", "/login", { body: { email: `a@${text}`, otp: text } }),
          server.client().call("POST", "/signup", { body: { tempToken: text, tier: text } }),
          user.call("POST", "/auth/set-token-cookie", { body: { token: text, maxAge: text } }),
          user.call("POST", "/masks", { body: { description: "x", customPrefix: text, settings: text } }),
          user.call("PUT", `/masks/${maskId}`, {
            body: { description: text, metadata: { suggestionId: text } },
          }),
          user.call("GET", `/masks/${encodeURIComponent(text.toWellFormed())}`),
          server.client().call("GET", `/confirm?token=${encodeURIComponent(text.toWellFormed())}`),
        ]);
        for (const answer of answers) expect(answer.status, JSON.stringify(text)).to.be.below(500);
      }
    });
  });

  onInputs(["jsonTexts"], ({ areSamples, files }) => {
    it("are refused as a request body by every endpoint when they are not JSON, and accepted when they are", async () => {
      const calls = [
        ["POST", "/login"],
        ["PUT", "/login"],
        ["POST", "/signup"],
        ["POST", "/auth/set-token-cookie"],
        ["POST", "/masks"],
        ["PUT", `/masks/${maskId}`],
      ] as const;
      const texts = files("jsonTexts");
      expect(texts.length).to.be.above(areSamples ? 15 : 300);
      for (const { name, content } of texts)
        for (const [method, path] of calls) {
          const { status } = await user.call(method, path, { raw: content });
          expect(status, `${method} ${path} ${name}`).to.be.below(500);
          if (name.startsWith("n_") && content.length > 0)
            expect(status, `${method} ${path} ${name}`).to.be.oneOf([400, 413]);
        }
      expect((await user.call("GET", "/account")).status).to.equal(200);
    });
  });
});
