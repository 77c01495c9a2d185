import { expect } from "chai";
import type { HeldPage } from "../../../../core/held/heldMail.ts";
import { bystander } from "../../support/bystander.ts";
import { type HeldServer, letter, startHeldServer } from "../../support/heldServer.ts";
import { type RspamdStub, startRspamdStub } from "../../support/rspamd.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { until } from "../../support/until.ts";

const offer = letter("Shop <a@shop.example>", [], "An offer");
const sender = "a@shop.example";

for (const store of everyStore)
  describe(`A mail that rspamd takes for likely spam, on ${store.name}`, () => {
    let here: HeldServer;
    let rspamd: RspamdStub;

    before(requireStore(store));
    beforeEach(async () => {
      rspamd = await startRspamdStub();
      here = await startHeldServer(store, { rspamdUrl: rspamd.url });
      await here.server.database.db
        .updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ spam_filter: 1 })
        .execute();
    });
    afterEach(async () => {
      await here?.stop();
      rspamd.close();
    });

    const heldMails = async (): Promise<HeldPage["mails"]> =>
      ((await here.ada.call("GET", "/held")).json as HeldPage).mails;
    const decide = async (action: string): Promise<void> => {
      const [mail] = await heldMails();
      await here.ada.call("POST", `/held/${mail?.id}/${action}`, { body: {} });
    };
    const forwarded = () => here.sink.mails.filter(({ from }) => from.startsWith("bounces+"));
    const arrival = (count: number): Promise<void> =>
      until(`${count} have arrived`, () => {
        here.delivery.wake();
        return forwarded().length === count;
      });
    const subjects = (): readonly string[] =>
      forwarded().map(({ content }) => /^Subject: (.*)\r$/m.exec(content.toString())?.[1] ?? "");

    it("is held for its owner, who is told why, and is marked once it is released", async () => {
      for (const action of ["add header", "rewrite subject", "quarantine"]) {
        rspamd.action = action;
        expect(await here.send(sender, offer), action).to.match(/^250/);
      }
      expect((await heldMails()).map(({ reason }) => reason)).to.deep.equal(["spam", "spam", "spam"]);
      const { notifications } = (await here.ada.call("GET", "/notifications?limit=50")).json as {
        notifications: { message: string }[];
      };
      expect(notifications.map(({ message }) => message)).to.deep.equal([
        `Mail to ${here.mask.maskEmail} is held, because it is likely spam.`,
      ]);
      expect(forwarded()).to.deep.equal([]);
      await decide("release");
      await arrival(1);
      expect(subjects()).to.deep.equal(["[Likely spam] An offer"]);
    });

    it("is forwarded with the mark from a sender that the mask always accepts, and refused if it is spam", async () => {
      rspamd.action = "add header";
      await here.send(sender, offer);
      await decide("allow");
      await arrival(1);
      expect(await here.send(sender, offer)).to.match(/^250/);
      await arrival(2);
      expect(subjects()).to.deep.equal(Array(2).fill("[Likely spam] An offer"));
      for (const action of ["reject", "discard"]) {
        rspamd.action = action;
        expect(await here.send(sender, offer), action).to.match(/^550 5\.7\.1 .*spam/);
      }
      expect(await heldMails()).to.deep.equal([]);
    });

    it("is forwarded without a mark by a mask whose spam filter is off", async () => {
      await here.server.database.db
        .updateTable("masks")
        .where("user_id", "!=", bystander.id)
        .set({ spam_filter: 0 })
        .execute();
      rspamd.action = "add header";
      await here.send(sender, offer);
      await arrival(1);
      expect(subjects()).to.deep.equal(["An offer"]);
    });
  });
