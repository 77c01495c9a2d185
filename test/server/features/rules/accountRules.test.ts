import { expect } from "chai";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { AccountRuleCounts, AccountRules } from "../../../../core/rules/account/accountRuleEndpoints.ts";
import type { RuleAction } from "../../../../core/rules/model/action.ts";
import type { Rule } from "../../../../core/rules/model/rule.ts";
import type { AccountPlace } from "../../../../core/rules/model/rulePlace.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { isOfTest } from "../../support/bystander.ts";
import type { Answer, Client } from "../../support/client.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { rule, setRules } from "../../support/ruledMask.ts";
import { openSocket, settle } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";

const block: RuleAction = { type: "block", params: { silentBlock: false } };
const tag = (name: string): RuleAction => ({ type: "tag", params: { tag: name } });
const about = (word: string): Rule["conditions"] => [
  { field: "subject", operator: "contains", value: [word] },
];
const stopping = (one: Rule): Rule => ({ ...one, metadata: { stop: true } });

for (const store of everyStore)
  describe(`The rules for all masks, on ${store.name}`, () => {
    let server: TestServer;
    let relay: RunningListener;
    let ada: Client;
    before(requireStore(store));
    beforeEach(async () => {
      server = await startServer({ store });
      relay = await startListener(server.database, {
        ...createVirtualClock(),
        now: () => server.clock.now(),
      });
      ada = await server.signIn("ada@home.example");
    });
    afterEach(async () => {
      await relay?.close();
      await server?.stop();
    });

    const save = (
      place: AccountPlace,
      rules: readonly unknown[],
      headers: Readonly<Record<string, string>> = {},
      client = ada,
    ): Promise<Answer> => client.call("PUT", `/rules/${place}`, { body: { rules }, headers });
    const lists = async (client = ada): Promise<AccountRules> =>
      (await client.call("GET", "/rules")).json as AccountRules;
    const counts = async (): Promise<AccountRuleCounts> =>
      ((await ada.call("GET", "/rules/stats")).json as { rules: AccountRuleCounts }).rules;
    const addMask = async (address: string, labels: readonly string[] = []): Promise<string> => {
      const { db } = server.database;
      const { json } = await ada.call("POST", "/masks", { body: { description: "Shop", labels } });
      const { id } = json as { id: string };
      await db
        .updateTable("mask_addresses")
        .set({ email_key: mailboxKey(address) })
        .where("mask_id", "=", id)
        .execute();
      await db.updateTable("masks").set({ email: address }).where("id", "=", id).execute();
      return id;
    };
    const send = async (address: string, subject: string): Promise<string> => {
      const client = await relay.connect();
      const text = `From: a@shop.example\r\nSubject: ${subject}\r\n\r\nx\r\n`;
      return client.mail("a@shop.example", [address], text);
    };

    it("are empty at first, and each list is saved with a version of its own", async () => {
      expect(await lists()).to.deep.include({
        after: { rules: [], version: (await lists()).before.version },
      });
      const saved = await save("before", [rule([block])]);
      expect(saved.status, saved.text).to.equal(200);
      expect(saved.headers.get("etag")).to.equal(`"${(await lists()).before.version}"`);
      await save("after", [rule([tag("Late")])]);
      const { before, after } = await lists();
      expect(before.rules).to.deep.equal([rule([block])]);
      expect(after.rules).to.deep.equal([rule([tag("Late")])]);
    });

    it("are validated, limited and known to their owner alone", async () => {
      expect((await save("before", [{ ...rule([block]), name: "" }])).status).to.equal(400);
      const many = Array.from({ length: 51 }, (_, n) => rule([block], about("x"), n));
      expect((await save("before", many)).json).to.deep.include({
        message: "Each list for all masks can have at most 50 rules. Remove one to add another.",
      });
      expect((await ada.call("PUT", "/rules/between", { body: { rules: [] } })).status).to.equal(400);
      await save("before", [rule([block])]);
      const bob = await server.signIn("bob@home.example");
      expect((await lists(bob)).before.rules).to.deep.equal([]);
    });

    it("merge what two devices change, and tell the other one over the socket", async () => {
      const [a, b, c] = [
        rule([block], about("a"), 1),
        rule([block], about("b"), 2),
        rule([block], about("c"), 3),
      ];
      const base = (await save("before", [a])).headers.get("etag") ?? "";
      await save("before", [a, b], { "if-match": base });
      const other = await openSocket(server.origin, ada, { clientId: "fedcba9876543210" });
      other.send("subscribe", { resource: "account-rules" });
      await settle(other);
      const merged = await save("before", [a, c], { "if-match": base });
      expect((merged.json as { rules: Rule[] }).rules.map(({ id }) => id)).to.have.members([
        "rule_1",
        "rule_2",
        "rule_3",
      ]);
      const after = await lists();
      // What was saved before may still be told after the subscription.
      const update = await other.waitFor(
        ({ type, data }) =>
          type === "data_update" &&
          (data?.["entity"] as AccountRules | undefined)?.before.version === after.before.version,
      );
      expect(update.data).to.deep.include({ resource: "account-rules", action: "updated", entity: after });
      other.socket.close();
    });

    it("before those of a mask block a mail that the mask would let through", async () => {
      const id = await addMask("shop@masks.example");
      await setRules(server.database.db, { id, email: "" }, [stopping(rule([tag("Mine")]))]);
      expect(await send("shop@masks.example", "sale")).to.match(/^250/);
      await save("before", [rule([block], about("sale"))]);
      expect(await send("shop@masks.example", "SALE")).to.match(/^550/);
      expect(await send("shop@masks.example", "order")).to.match(/^250/);
      expect(await counts()).to.have.nested.property("rule_1.appliedCount", 1);
    });

    it("after those of a mask apply where none has ended the list", async () => {
      const id = await addMask("shop@masks.example");
      await setRules(server.database.db, { id, email: "" }, [
        stopping(rule([tag("Mine")], about("order"), 7)),
      ]);
      await save("after", [rule([block], [{ field: "sender", operator: "contains", value: ["shop"] }])]);
      expect(await send("shop@masks.example", "order"), "the mask's rule has ended it").to.match(/^250/);
      expect(await send("shop@masks.example", "sale"), "no rule has").to.match(/^550/);
    });

    it("follow the label and the address of a mask", async () => {
      await addMask("shop@masks.example", ["Shops"]);
      await addMask("letters@masks.example", ["News"]);
      await save("before", [
        rule([block], [{ field: "maskLabel", operator: "equals", value: "shops" }], 1),
        rule([block], [{ field: "mask", operator: "equals", value: "other@masks.example" }], 2),
      ]);
      expect(await send("shop@masks.example", "sale")).to.match(/^550/);
      expect(await send("letters@masks.example", "sale")).to.match(/^250/);
    });

    it("lose their counts with the rule, and everything with the account", async () => {
      await addMask("shop@masks.example");
      await save("before", [rule([tag("Sale")], about("sale"), 1), rule([tag("All")], about("s"), 2)]);
      await send("shop@masks.example", "sale");
      expect(await counts()).to.have.keys("rule_1", "rule_2");
      await save("before", [rule([tag("All")], about("s"), 2)]);
      expect(await counts()).to.have.keys("rule_2");
      const { json } = await ada.call("GET", "/account/export");
      expect(json).to.have.nested.property("accountRules.before[0].id", "rule_2");
      const deleted = await ada.call("DELETE", "/account", { body: { email: "ada@home.example" } });
      expect(deleted.status, deleted.text).to.equal(200);
      for (const table of ["account_rules", "account_rule_versions", "account_rule_counts"] as const)
        expect(
          (await server.database.db.selectFrom(table).selectAll().execute()).filter(isOfTest),
        ).to.deep.equal([]);
    });
  });
