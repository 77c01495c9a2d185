import { expect } from "chai";
import { type HeldPage, maxReadBytes } from "../../../../core/held/heldMail.ts";
import { type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

for (const store of everyStore)
  describe(`A held mail that is read before its release, on ${store.name}`, () => {
    let here: HeldServer;
    let id: string;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
      await setRules(here.server.database.db, { id: here.mask.id, email: "" }, [
        rule([{ type: "hold", params: {} }]),
      ]);
      await here.send("a@shop.example", letter("Shop <a@shop.example>"));
      id = ((await here.ada.call("GET", "/held")).json as HeldPage).mails[0]?.id ?? "";
    });
    afterEach(() => here?.stop());

    const read = (client: Pick<HeldServer["ada"], "call">, of = id) =>
      client.call("GET", `/held/${of}/content`);

    it("is what would be sent, is not cached, and stays held", async () => {
      const { status, json, headers } = await read(here.ada);
      expect(status).to.equal(200);
      const content = Buffer.from((json as { content: string }).content, "base64").toString();
      expect(content).to.contain("It is on its way.");
      expect(content).to.contain("Subject: Your order");
      expect(headers.get("cache-control")).to.equal("no-store");
      expect(((await here.ada.call("GET", "/held")).json as HeldPage).mails).to.have.lengthOf(1);
    });

    it("is read by its owner alone, and no longer once it is released or deleted", async () => {
      const eve = await here.server.signIn("eve@home.example");
      expect((await read(eve)).status).to.equal(404);
      expect((await read(here.server.client())).status).to.equal(401);
      expect((await read(here.ada, "../queue")).status).to.equal(404);
      await here.ada.call("POST", `/held/${id}/release`, { body: {} });
      expect((await read(here.ada)).status).to.equal(404);
    });

    it("is refused with what to do instead when it is too large to be shown", async () => {
      const { db } = here.server.database;
      await db
        .updateTable("queue")
        .set({ size: maxReadBytes + 1 })
        .where("id", "=", id)
        .execute();
      const { status, json } = await read(here.ada);
      expect(status).to.equal(400);
      expect((json as { message: string }).message).to.match(/larger than 10 MB.*Release it/);
    });
  });
