import { expect } from "chai";
import type { InsightsAnswer } from "../../../../core/insights/insightsEndpoints.ts";
import { explainDetail } from "../../../../core/mailLog/explainEntry.ts";
import type { LogPage } from "../../../../core/mailLog/logEntry.ts";
import { createTemplateRules, findTemplate } from "../../../../core/rules/editing/ruleTemplates.ts";
import { accountListId } from "../../../../core/rules/model/rulePlace.ts";
import { type HeldServer, startHeldServer } from "../../support/heldServer.ts";
import { readQueue } from "../../support/queue.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const mail = (html: string): string =>
  [
    "From: Shop <orders@shop.example>",
    "To: mask@masks.test",
    "Subject: Sale",
    "Date: Fri, 20 Nov 2026 10:00:00 +0000",
    "Message-ID: <1@shop.example>",
    "MIME-Version: 1.0",
    "Content-Type: text/html; charset=utf-8",
    "",
    html,
    "",
  ].join("\r\n");

const pixel = '<img src="https://t.shop.example/open?u=7" width="1" height="1">';
const link = '<a href="https://shop.example/sale?id=4&amp;utm_source=mail">Sale</a>';

for (const store of everyStore)
  describe(`Trackers that are removed from all mail, on ${store.name}`, () => {
    let here: HeldServer;
    before(requireStore(store));
    beforeEach(async () => {
      here = await startHeldServer(store);
    });
    afterEach(() => here?.stop());

    it("by the template for all masks, are said in the log, and counted by mail", async () => {
      const template = findTemplate("trackers_template");
      if (!template) throw new Error("no template");
      const rules = createTemplateRules(template, accountListId("before"), 0, new Set());
      const { version } = ((await here.ada.call("GET", "/rules")).json as { before: { version: string } })
        .before;
      const saved = await here.ada.call("PUT", "/rules/before", {
        body: { rules },
        headers: { "if-match": `"${version}"` },
      });
      expect(saved.status).to.equal(200);
      await here.ada.call("PUT", "/log/settings", { body: { keep: "address" } });

      expect(await here.send("orders@shop.example", mail(`<p>a${pixel}${link}${pixel}</p>`))).to.match(
        /^250/,
      );
      expect(await here.send("orders@shop.example", mail("<p>plain</p>"))).to.match(/^250/);

      const forwarded = (await readQueue(here.server.database.db)).map(({ content }) => content.toString());
      expect(forwarded.filter((text) => /open\?u=7|utm_source/.test(text))).to.deep.equal([]);
      const { mails } = (await here.ada.call("GET", "/log")).json as LogPage;
      const texts = mails.map(({ detail }) => (detail ? explainDetail(detail).join(" ") : ""));
      expect(texts.filter((text) => text.includes("3 trackers were removed from it."))).to.have.lengthOf(1);
      const { flow } = (await here.ada.call("GET", "/ai/insights")).json as InsightsAnswer;
      expect(flow).to.include({ received: 2, cleaned: 1 });
    });
  });
