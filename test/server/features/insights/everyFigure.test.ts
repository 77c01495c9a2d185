import { expect } from "chai";
import type { InsightsAnswer } from "../../../../core/insights/insightsEndpoints.ts";
import { dayMs } from "../../../../core/kernel/durations.ts";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import type { RuleAction } from "../../../../core/rules/model/action.ts";
import { createVirtualClock } from "../../../fakes/virtualClock.ts";
import { longTestMs } from "../../../support/limits.ts";
import { bystander } from "../../support/bystander.ts";
import type { Client } from "../../support/client.ts";
import { type RunningListener, startListener } from "../../support/listener.ts";
import { setRules } from "../../support/ruledMask.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";
import { everyStore, requireStore } from "../../support/stores.ts";
import { setTier } from "../../support/tier.ts";
import { generatedMail, rulesOfMask } from "./generatedMail.ts";
import { countedIn, type SentMail } from "./independentCount.ts";

const email = "ada@home.example";

for (const store of everyStore) {
  const mails = store.name === "SQLite" ? 5_000 : 1_000;

  describe(`Insights after ${mails} mails, on ${store.name}`, function () {
    this.timeout(longTestMs);
    let server: TestServer;
    let relay: RunningListener;
    let ada: Client;
    let maskIds: string[] = [];
    let addresses: string[] = [];
    const sent: SentMail[] = [];

    before(async function () {
      await requireStore(store).call(this);
      server = await startServer({ store });
      const { database } = server;
      relay = await startListener(database, { ...createVirtualClock(), now: () => server.clock.now() });
      ada = await server.signIn(email);
      await setTier(database, email, "business");
      for (const rules of rulesOfMask) {
        const answer = await ada.call("POST", "/masks", { body: { description: "A mask" } });
        const { id, maskEmail } = answer.json as { id: string; maskEmail: string };
        const address = maskEmail.replace("masks.test", "masks.example");
        await database.db
          .updateTable("mask_addresses")
          .set({ email_key: mailboxKey(address) })
          .where("mask_id", "=", id)
          .execute();
        await setRules(
          database.db,
          { id, email: address },
          rules.map(([name, operator, field, value, actions]) => ({
            id: name,
            name,
            type: "content_filter",
            enabled: true,
            conditions: [{ field, operator, value: [value] }],
            actions: actions as unknown as readonly RuleAction[],
          })),
        );
        maskIds = [...maskIds, id];
        addresses = [...addresses, address];
      }
    });
    after(async () => {
      await relay?.close();
      await server?.stop();
    });

    /** Sends the mails `from` to `to` over ten connections, in no fixed order except for the last 20. */
    const send = async (from: number, to: number, classified: boolean): Promise<void> => {
      const day = new Date(server.clock.now()).toISOString().slice(0, 10);
      const numbers = Array.from({ length: to - from }, (_, n) => from + n);
      const ordered = numbers.splice(-20);
      const one = async (client: Awaited<ReturnType<typeof relay.connect>>, n: number): Promise<void> => {
        const mail = generatedMail(n);
        const answer = await client.mail("bounce@lists.example", [addresses[mail.mask] ?? ""], mail.content);
        expect(answer).to.match(/^250/);
        sent.push({ ...mail, day, classified });
      };
      const clients = await Promise.all(Array.from({ length: 10 }, () => relay.connect()));
      await Promise.all(
        clients.map(async (client) => {
          for (let n = numbers.shift(); n !== undefined; n = numbers.shift()) await one(client, n);
        }),
      );
      for (const n of ordered) await one(clients[0] as (typeof clients)[number], n);
      for (const client of clients) client.destroy();
    };

    const read = async (maskId?: string): Promise<InsightsAnswer> => {
      const answer = await ada.call("GET", `/ai/insights${maskId ? `?maskId=${maskId}` : ""}`);
      expect(answer.status).to.equal(200);
      return answer.json as InsightsAnswer;
    };

    const record = (pairs: readonly (readonly [string, number])[]) => Object.fromEntries(pairs);

    const figuresIn = (answer: InsightsAnswer, isWhole: boolean) => ({
      total: answer.total,
      thisMonth: answer.thisMonth,
      flow: answer.flow,
      flowThisMonth: answer.flowThisMonth,
      categoryBreakdown: answer.categoryBreakdown,
      tags: answer.tags,
      actions: answer.actions,
      rules: record((answer.rules ?? []).map(({ maskId, id, applied }) => [`${maskId} ${id}`, applied])),
      rulesByType: answer.rulesByType,
      blockReasons: record((answer.blockReasons ?? []).map(({ reason, count }) => [reason, count])),
      senders: record((answer.senders ?? []).map(({ domain, received }) => [domain, received])),
      byDay: Object.fromEntries((answer.byDay ?? []).map(({ day, ...flow }) => [day, flow])),
      newest: isWhole
        ? answer.recentEmails.map(({ senderDomain, outcome }) => `${senderDomain} ${outcome}`)
        : [],
    });

    const compare = async (): Promise<void> => {
      const month = new Date(server.clock.now()).toISOString().slice(0, 7);
      for (const [index, maskId] of [undefined, ...maskIds].entries()) {
        const isWhole = maskId === undefined;
        const expected = countedIn(
          isWhole ? sent : sent.filter(({ mask }) => mask === index - 1),
          maskIds,
          month,
        );
        const answer = await read(maskId);
        const newest = isWhole ? expected.newest : [];
        const top = Object.entries(expected.senders)
          .toSorted(([one, n], [other, m]) => m - n || (one < other ? -1 : 1))
          .slice(0, 20);
        expect(figuresIn(answer, isWhole), maskId ?? "all masks").to.deep.equal({
          ...expected,
          senders: record(top),
          newest,
        });
        const { categoryBreakdown: of } = expected;
        expect(answer.summaryStats).to.deep.equal({
          promotionalEmails: of["promotional"] ?? 0,
          importantEmails: of["important"] ?? 0,
          transactionalEmails: of["transactional"] ?? 0,
          newsletterEmails: of["newsletter"] ?? 0,
        });
        if (isWhole) {
          const masks = maskIds.map((id, n) => {
            const { flow } = countedIn(
              sent.filter(({ mask }) => mask === n),
              maskIds,
              month,
            );
            return [id, flow];
          });
          const answered = (answer.masks ?? []).map(({ id, received, forwarded, blocked }) => [
            id,
            { received, forwarded, blocked },
          ]);
          expect(Object.fromEntries(answered)).to.deep.equal(Object.fromEntries(masks));
        }
      }
    };

    const access = (contentAccessEnabled: boolean) =>
      ada.call("PUT", "/ai/content-access", { body: { contentAccessEnabled, acknowledgment: true } });

    it("equal an independent count, for all masks together and for each", async () => {
      expect((await access(true)).status).to.equal(200);
      await send(0, mails / 4, true);
      server.clock.advance(dayMs);
      await ada.refresh();
      await send(mails / 4, mails / 2, true);
      await compare();
      expect(sent.some(({ category }) => category === "promotional")).to.equal(true);
    });

    it("omit only the categories once access to content is off", async () => {
      expect((await access(false)).status).to.equal(200);
      for (const [n, mail] of sent.entries()) sent[n] = { ...mail, classified: false };
      await compare();
      await send(mails / 2, mails, false);
      await compare();
      const { db } = server.database;
      const derived = await db
        .selectFrom("recent_mails")
        .where("user_id", "!=", bystander.id)
        .select("id")
        .where("category", "is not", null)
        .execute();
      expect(derived).to.deep.equal([]);
    });

    it("stay the same after a restart", async () => {
      const { database } = server;
      const sharedStore = { ...store, open: async () => ({ ...database, close: async () => {} }) };
      const again = await startServer({ store: sharedStore });
      again.clock.advance(dayMs);
      const before = ada;
      ada = await again.signIn(email);
      await compare();
      ada = before;
      await again.stop();
    });

    it("need few statements per commit, so that mail is not delayed", () => {
      expect(relay.listener.commits()).to.be.lessThan(mails);
    });
  });
}
