import { expect } from "chai";
import { aiFeatures } from "../../../../core/contentAccess/aiFeature.ts";
import type { Client } from "../../support/client.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";

const email = "ada@home.example";

for (const store of everyStore)
  describe(`Access to content, on ${store.name}`, () => {
    let server: TestServer;
    let ada: Client;

    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store });
      ada = await server.signIn(email);
    });
    afterEach(() => server?.stop());

    const set = (body: unknown) => ada.call("PUT", "/ai/content-access", { body });
    const prefer = (features: unknown) =>
      ada.call("PUT", "/ai/preferences", { body: { preferences: { features } } });
    const messageOf = ({ status, json }: { status: number; json: unknown }) => [
      status,
      (json as { message: string }).message,
    ];

    it("is off at first, and names the plan it needs", async () => {
      const { json } = await ada.call("GET", "/ai/content-access");
      expect(json).to.deep.equal({
        contentAccessEnabled: false,
        contentAccessAcknowledged: false,
        contentAccessEligible: false,
        currentTier: "free",
        features: { smartFiltering: false, contentCategorization: false },
      });
      expect(messageOf(await set({ contentAccessEnabled: true, acknowledgment: true }))).to.deep.equal([
        403,
        "Content access features require Pro tier or higher",
      ]);
      expect(messageOf(await prefer({ summaries: false }))).to.deep.equal([
        403,
        "AI features require upgrading to Pro tier or higher",
      ]);
    });

    it("starts only after the user has acknowledged the privacy notice", async () => {
      await setTier(server.database, email, "pro");
      const refused = await set({ contentAccessEnabled: true });
      expect(refused.status).to.equal(400);
      expect(refused.json).to.deep.equal({
        message: "You must acknowledge the privacy notice to enable content access",
        acknowledgmentRequired: true,
      });
      const allowed = await set({ contentAccessEnabled: true, acknowledgment: true });
      expect(allowed.json).to.deep.equal({
        contentAccessEnabled: true,
        contentAccessAcknowledged: true,
        contentAccessEligible: true,
        currentTier: "pro",
        features: { smartFiltering: true, contentCategorization: true },
      });
    });

    it("allows preferences to change only while it is on, and only to features this server offers", async () => {
      await setTier(server.database, email, "pro");
      expect(messageOf(await prefer({ prioritization: true }))).to.deep.equal([
        400,
        "Content access must be enabled to update AI preferences",
      ]);
      await set({ contentAccessEnabled: true, acknowledgment: true });
      expect(messageOf(await prefer({ summaries: true }))).to.deep.equal([
        400,
        "This server does not offer that feature",
      ]);
      const changed = await prefer({ prioritization: true, categorization: false });
      expect(changed.json).to.have.nested.property("features.prioritization", true);
      const { json } = await ada.call("GET", "/ai/preferences");
      expect(json).to.deep.include({ offered: ["categorization", "prioritization"] });
      expect(json).to.have.nested.property("features.categorization", false);
    });

    it("reports no feature as on that this server does not offer, defaults included", async () => {
      await setTier(server.database, email, "pro");
      await set({ contentAccessEnabled: true, acknowledgment: true });
      const changed = await prefer({ prioritization: true });
      for (const { json } of [changed, await ada.call("GET", "/ai/preferences")]) {
        const { features } = json as { features: Record<string, boolean> };
        const on = Object.keys(features).filter((name) => features[name]);
        expect(on).to.have.members(["categorization", "prioritization"]);
      }
    });

    it("stores no unknown preference", async () => {
      await setTier(server.database, email, "pro");
      await set({ contentAccessEnabled: true, acknowledgment: true });
      const changed = await prefer({ categorization: false, [`x${"y".repeat(1_000)}`]: true });
      expect(changed.status).to.equal(200);
      for (const { json } of [changed, await ada.call("GET", "/ai/preferences")]) {
        const { features } = json as { features: Record<string, boolean> };
        expect(features).to.have.all.keys(aiFeatures);
        expect(features).to.include({ categorization: false });
      }
    });

    it("ends when the plan no longer allows it", async () => {
      await setTier(server.database, email, "pro");
      await set({ contentAccessEnabled: true, acknowledgment: true });
      await setTier(server.database, email, "free");
      const { json } = await ada.call("GET", "/ai/content-access");
      expect(json).to.deep.include({ contentAccessEnabled: false, contentAccessEligible: false });
    });

    it("names the external model that also gets data", async () => {
      const model = { url: "http://model.example/v1", model: "small", key: null };
      const other = await startServer({ store, aiModel: model });
      const eve = await other.signIn(email);
      const { json } = await eve.call("GET", "/ai/content-access");
      expect(json).to.deep.include({ externalModel: "model.example" });
      await other.stop();
    });
  });
