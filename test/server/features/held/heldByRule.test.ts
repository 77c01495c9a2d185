import { expect } from "chai";
import type { HeldPage } from "../../../../core/held/heldMail.ts";
import type { Account } from "../../../../core/session/user.ts";
import { bystander } from "../../support/bystander.ts";
import { type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const sender = "a@shop.example";
const news = letter("Shop <a@shop.example>");

for (const store of everyStore)
  describe(`A mail that a rule holds, on ${store.name}`, () => {
    let here: HeldServer;

    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
    });
    afterEach(() => here?.stop());

    const ruled = (...rules: Parameters<typeof setRules>[2]) =>
      setRules(here.server.database.db, { id: here.mask.id, email: "" }, rules);
    const held = async (): Promise<HeldPage> => (await here.ada.call("GET", "/held")).json as HeldPage;
    const counted = async () => ((await here.ada.call("GET", "/account")).json as Account).usage?.held;
    const forwarded = () => here.sink.mails.filter(({ from }) => from.startsWith("bounces+"));

    it("waits for its owner, who is told, and is neither answered nor archived; released, it is sent with its tags", async () => {
      await ruled(
        rule([
          { type: "hold", params: {} },
          { type: "tag", params: { tag: "Later" } },
          { type: "archive", params: { markAsRead: true } },
          { type: "auto-reply", params: { subject: "", message: "I am away." } },
          { type: "notify", params: { message: "A mail waits" } },
        ]),
      );
      expect(await here.send(sender, news)).to.match(/^250/);
      const { mails } = await held();
      expect(mails.map(({ reason, subject }) => [reason, subject])).to.deep.equal([["rule", "Your order"]]);
      expect(await counted()).to.equal(1);
      const { notifications } = (await here.ada.call("GET", "/notifications?limit=50")).json as {
        notifications: { message: string; sender?: object }[];
      };
      for (const notification of notifications)
        expect(notification.sender).to.deep.equal({ maskId: here.mask.id, address: sender });
      const stored = await here.server.database.db
        .selectFrom("notifications")
        .where("user_id", "!=", bystander.id)
        .selectAll()
        .execute();
      expect(JSON.stringify(stored)).not.to.contain(sender);
      expect(notifications.map(({ message }) => message)).to.have.members([
        "A mail waits",
        `Mail to ${here.mask.maskEmail} is held, because a rule says so.`,
      ]);
      expect(
        await here.server.database.db
          .selectFrom("archived_mails")
          .where("user_id", "!=", bystander.id)
          .select("id")
          .execute(),
      ).to.deep.equal([]);
      expect(forwarded()).to.deep.equal([]);
      await here.ada.call("POST", `/held/${mails[0]?.id}/release`, { body: {} });
      await until("it has arrived", () => {
        here.delivery.wake();
        return forwarded().length === 1;
      });
      expect(forwarded()[0]?.content.toString()).to.contain("[Later] Your order");
      expect((await held()).mails).to.deep.equal([]);
      expect(await counted()).to.equal(undefined);
    });

    it("is chosen by the checks of its sender", async () => {
      await ruled(
        rule([{ type: "hold", params: {} }], [{ field: "spf", operator: "not_in_list", value: ["pass"] }]),
      );
      await here.send("b@elsewhere.example", letter("B <b@elsewhere.example>", [], "Forged"));
      await here.send(sender, letter("A <a@shop.example>", [], "True"));
      expect((await held()).mails.map(({ subject }) => subject)).to.deep.equal(["Forged"]);
    });

    it("is refused when another rule blocks it", async () => {
      await ruled(
        rule([{ type: "hold", params: {} }]),
        rule([{ type: "block", params: { silentBlock: false } }], undefined, 2),
      );
      expect(await here.send(sender, news)).to.match(/^550 5\.7\.1/);
      expect((await held()).mails).to.deep.equal([]);
    });
  });
