import { expect } from "chai";
import type { ApiToken } from "../../../../core/apiTokens/apiTokenEndpoints.ts";
import { minuteMs } from "../../../../core/kernel/durations.ts";
import { localPartOf } from "../../../../core/mail/emailAddress.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { isOwnName } from "../../../../server/features/masks/ownNames.ts";
import { isOfTest } from "../../support/bystander.ts";
import type { Answer, Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";

const ownNames = [
  "hostmaster",
  "Postmaster",
  "ADMIN",
  "administrator",
  "webmaster",
  "abuse",
  "security",
  "no-reply",
  "noreply",
  "bounces",
  "bounces+6162",
  "dmarc-reports",
  "tls-reports",
  "complaints",
  `re-${"a2".repeat(16)}`,
  "mailer-daemon",
  "info",
];

const spellings = [
  "masks.test",
  "MASKS.TEST",
  "Masks.test",
  "masks.test.",
  "MASKS.TEST.",
  "masks。test",
  "masks．test",
  "ｍasks.test",
  "𝐦asks.test",
  "ma\u00adsks.test",
  "ma\u200bsks.test",
  "ma\ufe0fsks.test",
  "%6dasks.test",
  "masks.test/",
  "masks.test?",
  "masks.test#x",
  "masks.test:25",
  "@masks.test",
  " masks.test ",
];

describe("A name of the installation", () => {
  it("is known in any case", () => {
    for (const name of ownNames) expect(isOwnName(name), name).to.equal(true);
    for (const name of ["bcdfghjkmn", "john", "re-x", "shop.bcdfghjkmn", "able-acid-aged-also"])
      expect(isOwnName(name), name).to.equal(false);
  });
});

for (const store of everyStore)
  describe(`The installation's own names, on ${store.name}`, () => {
    let server: TestServer;
    let user: Client;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store });
      user = await server.signIn("owner@example.org");
    });
    afterEach(() => server?.stop());

    const addresses = async (): Promise<readonly string[]> =>
      (await server.database.db.selectFrom("mask_addresses").select("email_key").execute())
        .filter(isOfTest)
        .map(({ email_key }) => email_key);
    const assertRefused = (answer: Answer, what: string): void => {
      expect([answer.status, answer.text], what).to.deep.equal([400, answer.text]);
      expect(answer.json, what).to.have.nested.property("errors[0].message");
    };

    it("become no mask, however the domain is written", async () => {
      for (const domain of spellings)
        for (const localPart of domain === "MASKS.TEST" ? [...ownNames, "john"] : ["hostmaster"])
          assertRefused(
            await user.call("POST", "/masks", { body: { description: "x", domain, localPart } }),
            `${localPart} at ${domain}`,
          );
      expect(await addresses()).to.deep.equal([]);
    });

    it("become no mask for a token, whatever its domain is written like", async () => {
      for (const domain of ["MASKS.TEST", "masks。test."]) {
        const body = { name: domain, scopes: ["masks:create"], domain, lifetimeDays: 30 };
        const made = await user.call("POST", "/account/api-tokens", { body });
        const { apiToken, token } = made.json as { apiToken: ApiToken; token: string };
        expect(apiToken.domain, made.text).to.equal("masks.test");
        const program = server.client();
        program.token = token;
        const make = (fields: object) =>
          program.call("POST", "/masks", { body: { description: "x", ...fields } });
        assertRefused(await make({ localPart: "hostmaster" }), domain);
        assertRefused(await make({ localPart: "hostmaster", domain: "Masks.Test" }), domain);
        expect((await make({ domain: "shop.example" })).status).to.equal(403);
        const usual = await make({ domain: "MASKS.test." });
        expect([usual.status, (usual.json as Mask).maskEmail]).to.deep.equal([
          201,
          (usual.json as Mask).maskEmail.toLowerCase(),
        ]);
      }
    });

    it("are no domain of a user, nor is one below, however they are written", async () => {
      for (const domain of spellings)
        for (const name of [domain, `mine.${domain.replace(/^[@ ]+/, "")}`]) {
          server.clock.advance(minuteMs / 4);
          await user.refresh();
          assertRefused(await user.call("POST", "/domains", { body: { name } }), name);
        }
      const { json } = await user.call("GET", "/domains");
      expect(json).to.have.property("domains").that.deep.equals([]);
    });

    it("are not reached by a change of the prefix, and the address stays at one spelling", async () => {
      await setTier(server.database, "owner@example.org", "pro_premium");
      const body = { description: "x", domain: "MASKS.TEST" };
      const { id, maskEmail } = (await user.call("POST", "/masks", { body })).json as Mask;
      const change = async (customPrefix: string | null) =>
        ((await user.call("PUT", `/masks/${id}`, { body: { customPrefix } })).json as Mask).maskEmail;
      expect(await change("hostmaster")).to.match(/^hostmaster\.[a-z0-9]{10}@masks\.test$/);
      expect(await change(null)).to.equal(maskEmail);
      expect(isOwnName(localPartOf(maskEmail))).to.equal(false);
    });
  });
