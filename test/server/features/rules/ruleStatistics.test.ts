import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { MaskStatistics } from "../../../../core/masks/maskStatistics.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

for (const store of everyStore)
  describe(`The rule statistics of a mask, on ${store.name}`, () => {
    let server: TestServer;
    let relay: RunningListener;
    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store });
      relay = await startListener(server.database, {
        ...createVirtualClock(),
        now: () => server.clock.now(),
      });
    });
    afterEach(async () => {
      await relay?.close();
      await server?.stop();
    });

    it("are in GET /masks and GET /masks/{id}/stats after each mail", async () => {
      const { db } = server.database;
      const ada = await server.signIn("ada@home.example");
      const created = (await ada.call("POST", "/masks", { body: { description: "Shop" } })).json as {
        id: string;
      };
      const address = "shop@masks.example";
      await db
        .updateTable("mask_addresses")
        .set({ email_key: mailboxKey(address) })
        .where("mask_id", "=", created.id)
        .execute();
      const about = (value: string) => [{ field: "subject", operator: "contains", value: [value] } as const];
      await setRules(db, { id: created.id, email: address }, [
        rule([{ type: "tag", params: { tag: "Bills" } }], about("invoice"), 1),
        rule(
          [
            { type: "tag", params: { tag: "constructor" } },
            { type: "modify", params: { subjectPrefix: "[shop]", removeTrackers: false } },
          ],
          about("order"),
          2,
        ),
        rule([{ type: "block", params: { silentBlock: true } }], about("sale"), 3),
      ]);
      const client = await relay.connect();
      const times: string[] = [];
      for (const subject of ["Invoice 1", "Order and invoice", "Hello", "SALE"]) {
        times.push(new Date(server.clock.now()).toISOString());
        const text = `From: a@shop.example\r\nSubject: ${subject}\r\n\r\nx\r\n`;
        expect(await client.mail("a@shop.example", [address], text)).to.match(/^250/);
        server.clock.advance(60_000);
      }

      const statistics = (await ada.call("GET", `/masks/${created.id}/stats`)).json as MaskStatistics;
      const { masks } = (await ada.call("GET", "/masks")).json as { masks: { statistics: MaskStatistics }[] };
      expect(masks[0]?.statistics).to.deep.equal(statistics);
      const [, second = "", , last = ""] = times;
      const isAt = (text: string | null | undefined, time: string): boolean =>
        Math.abs(Date.parse(text ?? "") - Date.parse(time)) < 30_000;
      expect(statistics).to.deep.include({
        totalReceived: 4,
        totalForwarded: 3,
        spamBlocked: 1,
        totalSent: 0,
      });
      expect(Object.entries(statistics.tags ?? {})).to.deep.equal([
        ["Bills", 2],
        ["constructor", 1],
      ]);
      expect(statistics.actions).to.deep.equal({ tag: 3, modify: 1, block: 1 });
      expect(statistics.actionsSummary?.totalActionsApplied).to.equal(5);
      expect(statistics.rulesSummary).to.deep.include({
        totalRulesApplied: 4,
        rulesByType: { content_filter: 4 },
      });
      expect(isAt(statistics.rulesSummary?.lastRuleApplied, last)).to.equal(true);
      expect(statistics.rules?.["rule_1"]).to.deep.include({
        name: "Rule 1",
        type: "content_filter",
        appliedCount: 2,
      });
      expect(isAt(statistics.rules?.["rule_1"]?.lastApplied, second)).to.equal(true);
      expect(statistics.blockHistory?.map(({ threatLevel, reason }) => [threatLevel, reason])).to.deep.equal([
        ["low", 'Rule "Rule 3"'],
      ]);
    });
  });
